import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { cloudController, cloudControllerName } from "./cloud-controller";
import { csiDriver } from "./csi-driver";

const secretName = `${cloudControllerName}-token`;

interface DigitalOceanCloudControllerSecret {
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
function tokenSecret(name: string, texts: Readonly<Record<string, string>>): Manifest {
    const encoded = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
    return {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, namespace: "kube-system" },
        type: "Opaque",
        data: Object.fromEntries(encoded),
    };
}

const csiSecretName = "do-csi-controller-token";

/** As Kubernetes knows it. */
export const digitalOceanVolumeDriver = "dobs.csi.digitalocean.com";

/** Block storage of DigitalOcean, tagged with the cluster's name. */
export function digitalOceanCsiDriver(cluster: Cluster): Manifest[] {
    return csiDriver(cluster, {
        name: "do-csi",
        driver: digitalOceanVolumeDriver,
        image: cluster.images.digitalOceanCsiDriver,
        program: "/bin/do-csi-plugin",
        // Kubernetes puts the variable's value there. Without --region: given one, v4.16.0 asks for volumes in no region at all.
        controllerArgs: ["--token=$(DIGITALOCEAN_ACCESS_TOKEN)", `--do-tag=${cluster.name}`],
        controllerEnv: [
            {
                name: "DIGITALOCEAN_ACCESS_TOKEN",
                valueFrom: { secretKeyRef: { name: csiSecretName, key: "token" } },
            },
        ],
        // Without a token it mounts, and does nothing else.
        nodeArgs: [],
        spec: { attachRequired: true, podInfoOnMount: true },
        storageClass: { name: "do-block-storage", parameters: {} },
    });
}

/** What its controller comes to DigitalOcean with. */
export function digitalOceanCsiDriverSecret(token: string): Manifest {
    return tokenSecret(csiSecretName, { token });
}
