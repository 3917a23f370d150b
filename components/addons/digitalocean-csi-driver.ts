import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { csiDriver } from "./csi-driver";
import { tokenSecret } from "./digitalocean-cloud-controller";

const secretName = "do-csi-controller-token";

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
                valueFrom: { secretKeyRef: { name: secretName, key: "token" } },
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
    return tokenSecret(secretName, { token });
}
