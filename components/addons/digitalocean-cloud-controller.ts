import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { cloudController, cloudControllerName } from "./cloud-controller";

const secretName = `${cloudControllerName}-token`;

export interface DigitalOceanCloudControllerSecret {
    /** Of the account. */
    readonly token: string;
    /** Of the VPC in which load balancers are made. No secret, but known when it is there. */
    readonly vpcId: string;
}

/** cloud-controller-manager of DigitalOcean. */
export function digitalOceanCloudController(cluster: Cluster): Manifest[] {
    const fromSecret = (key: keyof DigitalOceanCloudControllerSecret) => ({ secretKeyRef: { name: secretName, key } });
    return cloudController(cluster, {
        image: cluster.images.digitalOceanCloudController,
        program: "/bin/digitalocean-cloud-controller-manager",
        flags: { "cloud-provider": "digitalocean" },
        env: [
            // Without REGION it asks the droplet's metadata; with it, the API for all regions, which takes another scope of the token.
            // Its own default, REGIONAL_NETWORK, keeps clients' addresses, which no firewall of the cluster lets in.
            { name: "DEFAULT_LB_TYPE", value: "REGIONAL" },
            { name: "DO_ACCESS_TOKEN", valueFrom: fromSecret("token") },
            { name: "DO_CLUSTER_VPC_ID", valueFrom: fromSecret("vpcId") },
        ],
    });
}

/** What it comes to DigitalOcean with. */
export function digitalOceanCloudControllerSecret(secret: DigitalOceanCloudControllerSecret): Manifest {
    return tokenSecret(secretName, { ...secret });
}

/** A Secret of texts. */
export function tokenSecret(name: string, texts: Readonly<Record<string, string>>): Manifest {
    const encoded = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
    return {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, namespace: "kube-system" },
        type: "Opaque",
        data: Object.fromEntries(encoded),
    };
}
