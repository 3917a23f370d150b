import assert from "node:assert/strict";
import { awsCloudController } from "../../../../../cluster/manifests/addons/aws";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ cloudProvider: "aws", controllers: { count: 3 } });

describe("the cloud controller of AWS", () => {
    it("is as reviewed", () =>
        golden(__dirname, "aws-cloud-controller", awsCloudController(cluster, { region: "eu-central-1" })));

    it("gets its region and its cluster tag, and restarts when they change", () => {
        const configOf = (region: string) =>
            awsCloudController(cluster, { region }).find(({ kind }) => kind === "ConfigMap")!;
        const { data } = configOf("eu-central-1") as unknown as { data: Record<string, string> };
        assert.match(data["cloud.conf"]!, /^\[Global\]\nRegion = eu-central-1\nKubernetesClusterID = c\n/);
        const volumes = (region: string) =>
            podSpecOf(awsCloudController(cluster, { region }).find(({ kind }) => kind === "Deployment")!)!.volumes;
        assert.notDeepEqual(volumes("eu-central-1"), volumes("us-east-1"));
    });
});
