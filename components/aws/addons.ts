import { awsCloudController } from "../addons/aws-cloud-controller";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import type { Aws } from "./resolve";

/** What the cluster runs of AWS' own, where it is asked for. */
export function awsAddons(cluster: Cluster, { region, hasCloudController }: Aws): Manifest[] {
    return hasCloudController ? awsCloudController(cluster, { region }) : [];
}
