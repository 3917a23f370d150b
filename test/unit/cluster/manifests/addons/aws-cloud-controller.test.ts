import assert from "node:assert/strict";
import { awsCloudController } from "../../../../../cluster/manifests/addons/aws";
import { dualStack, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ cloudProvider: "aws", controllers: { count: 3 } });

describe("the cloud controller of AWS", () => {
    it("is as reviewed", () =>
        golden(__dirname, "aws-cloud-controller", awsCloudController(cluster, { region: "eu-central-1" })));

    it("reports the addresses of both families, IPv4 first, in a dual-stack cluster", () => {
        const dual = fixedCluster({ cloudProvider: "aws", network: dualStack });
        const manifests = JSON.stringify(awsCloudController(dual, { region: "eu-central-1" }));
        assert.ok(manifests.includes("NodeIPFamilies = ipv4\\nNodeIPFamilies = ipv6\\n"), manifests);
        assert.ok(manifests.includes("--cluster-cidr=10.2.0.0/16,fd00:10:2::/56"), manifests);
    });

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
