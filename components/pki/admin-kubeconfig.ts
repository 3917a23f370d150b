import * as pulumi from "@pulumi/pulumi";
import type { AdministratorCredentials } from "../../cluster/keys/credentials";
import { kubeconfig } from "../../cluster/kubeconfig";
import type { Cluster } from "../../cluster/model";

/** The administrator's kubeconfig, with the API at `server`. Secret. */
export function adminKubeconfig(
    cluster: Cluster,
    server: pulumi.Input<string>,
    credentials: pulumi.Output<AdministratorCredentials>,
): pulumi.Output<string> {
    const config = pulumi.all([server, credentials]).apply(([url, { kubernetesCa, admin }]) =>
        kubeconfig({
            cluster: cluster.name,
            server: url,
            ca: kubernetesCa.cert,
            user: "kubernetes-admin",
            credentials: admin,
        }),
    );
    return pulumi.secret(config);
}
