import { type Config, config, file } from "../../../ignition";
import { clouds } from "../../clouds";
import type { Cluster } from "../../model";
import { launcher, paths } from "../../paths";

/** The kubelet configuration drop-in that sets it. */
export const kubeletIdentity = `${paths.kubeletConfigDropIns}/20-provider-id.conf`;

const script = `${paths.bin}/cloud-identity`;

/** Directive that determines the machine's identity before the kubelet starts, with retries until the cloud answers. */
export const writeCloudIdentity = `ExecStartPre=${launcher} ${script}\n`;

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
${clouds[cloudProvider].identity}
printf '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","providerID":"%s"}\\n' "$id" >"$file.new"
mv "$file.new" "$file"
`;
    return config({ files: [file(script, text, { mode: 0o755 })] });
}
