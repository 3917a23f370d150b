import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { secret } from "../objects";
import { cloudController, cloudControllerName } from "./cloud-controller";
import { csiDriver } from "./csi-driver";

const secretName = `${cloudControllerName}-token`;

interface DigitalOceanCloudControllerSecret {
    /** API token of the account. */
    readonly token: string;
    /** Id of the VPC for load balancers. Not secret, but only known once the VPC exists. */
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
            // Without REGION it reads the droplet's metadata; with it, the API's list of regions, which needs another
            // token scope.
            // Its default, REGIONAL_NETWORK, preserves client addresses, which the cluster's firewalls block.
            { name: "DEFAULT_LB_TYPE", value: "REGIONAL" },
            { name: "DO_ACCESS_TOKEN", valueFrom: fromSecret("token") },
            { name: "DO_CLUSTER_VPC_ID", valueFrom: fromSecret("vpcId") },
            // Any free port, for its own metrics: without it, port 80 of the host.
            { name: "METRICS_ADDR", value: "127.0.0.1:0" },
        ],
    });
}

/** Its DigitalOcean credentials. */
export function digitalOceanCloudControllerSecret(values: DigitalOceanCloudControllerSecret): Manifest {
    return secret(secretName, { ...values });
}

const csiSecretName = "do-csi-controller-token";

/** Its name in Kubernetes. */
export const digitalOceanVolumeDriver = "dobs.csi.digitalocean.com";

/** CSI driver for DigitalOcean block storage. Volumes are tagged with the cluster's name. */
export function digitalOceanCsiDriver(
    cluster: Cluster,
    { volumeSnapshots = false }: { readonly volumeSnapshots?: boolean } = {},
): Manifest[] {
    return csiDriver(cluster, {
        name: "do-csi",
        driver: digitalOceanVolumeDriver,
        image: cluster.images.digitalOceanCsiDriver,
        program: "/bin/do-csi-plugin",
        // Kubernetes expands the variable. --region is omitted: with it, v4.16.0 requests volumes without any region.
        controllerArgs: [
            "--token=$(DIGITALOCEAN_ACCESS_TOKEN)",
            `--do-tag=${cluster.name}`,
            "--default-volumes-page-size=200",
        ],
        // Each time, all volumes of the account are listed, and the account's requests per hour are limited. Every minute,
        // in pages of 20, is the default; both values are those of its own manifest.
        attacherArgs: ["--reconcile-sync=30m"],
        controllerEnv: [
            {
                name: "DIGITALOCEAN_ACCESS_TOKEN",
                valueFrom: { secretKeyRef: { name: csiSecretName, key: "token" } },
            },
        ],
        // It only mounts, which needs no token.
        nodeArgs: [],
        spec: { attachRequired: true, podInfoOnMount: true },
        storageClass: { name: "do-block-storage", parameters: {} },
        ...(volumeSnapshots && { snapshotClass: "do-block-storage" }),
    });
}

/** DigitalOcean credentials of its controller. */
export function digitalOceanCsiDriverSecret(token: string): Manifest {
    return secret(csiSecretName, { token });
}
