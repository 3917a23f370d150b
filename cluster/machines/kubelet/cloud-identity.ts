import { type Config, config, file } from "../../../ignition";
import type { CloudProvider, Cluster } from "../../model";
import { launcher, paths } from "../../paths";

/** The kubelet configuration drop-in that sets it. */
export const kubeletIdentity = `${paths.kubeletConfigDropIns}/20-provider-id.conf`;

const script = `${paths.bin}/cloud-identity`;

/** Directive that determines the machine's identity before the kubelet starts, with retries until the cloud answers. */
export const writeCloudIdentity = `ExecStartPre=${launcher} ${script}\n`;

// Sources: EC2's "Access instance metadata" and DigitalOcean's "Metadata API".
const identity: Readonly<Record<CloudProvider, string>> = {
    aws: `metadata=http://169.254.169.254/latest
token=$(ask -X PUT -H "X-aws-ec2-metadata-token-ttl-seconds: 60" $metadata/api/token)
of_instance() { ask -H "X-aws-ec2-metadata-token: $token" "$metadata/meta-data/$1"; }
zone=$(of_instance placement/availability-zone)
instance=$(of_instance instance-id)
id=aws:///$zone/$instance`,
    digitalocean: `droplet=$(ask http://169.254.169.254/metadata/v1/id)
id=digitalocean://$droplet`,
};

/**
 * Registers a node with the id of its cloud machine (`spec.providerID`).
 *
 * The cloud controller would otherwise look it up by name, but controllers have other names than their AWS instances.
 */
export function cloudIdentity({ cloudProvider }: Cluster): Config {
    if (!cloudProvider) return config({});
    const text = `#!/bin/sh
# Asks the cloud once which machine this is, and writes the answer for the kubelet.
set -eu
file=${kubeletIdentity}
if [ -s "$file" ]; then exit 0; fi
ask() { curl -fsS --connect-timeout 5 --max-time 10 "$@"; }
${identity[cloudProvider]}
printf '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","providerID":"%s"}\\n' "$id" >"$file.new"
mv "$file.new" "$file"
`;
    return config({ files: [file(script, text, { mode: 0o755 })] });
}
