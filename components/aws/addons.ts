import { awsCloudController } from "../addons/aws-cloud-controller";
import { awsCsiDriver } from "../addons/aws-csi-driver";
import { clusterAutoscaler } from "../addons/cluster-autoscaler";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import type { Aws } from "./resolve";

/** What the cluster runs of AWS' own, where it is asked for. */
export function awsAddons(cluster: Cluster, aws: Aws): Manifest[] {
    return [
        ...(aws.hasCloudController ? awsCloudController(cluster, aws) : []),
        ...(aws.hasCsiDriver ? awsCsiDriver(cluster, aws) : []),
        ...(aws.hasClusterAutoscaler ? clusterAutoscaler(cluster, aws) : []),
    ];
}
