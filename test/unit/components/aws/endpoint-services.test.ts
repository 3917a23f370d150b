import assert from "node:assert/strict";
import { requireEndpoints, serviceEndpoints } from "../../../../components/aws/endpoint-services";

const none = {
    hasCloudController: false,
    hasCsiDriver: false,
    hasClusterAutoscaler: false,
    vpcEndpoints: [],
    pools: {},
};
const isolated = { ...none, natGateways: "none" as const };
const pools = { default: {} };

describe("services with endpoints", () => {
    const names = (aws: Parameters<typeof serviceEndpoints>[0]) => serviceEndpoints(aws).map(({ service }) => service);

    it("are those that controllers in the cluster call and those that were asked for, each once", () => {
        assert.deepEqual(names(isolated), []);
        assert.deepEqual(names({ ...isolated, hasCsiDriver: true }), ["ec2"]);
        assert.deepEqual(
            names({
                ...isolated,
                hasCloudController: true,
                hasClusterAutoscaler: true,
                vpcEndpoints: ["ssm", "ec2"],
            }),
            ["autoscaling", "ec2", "elasticloadbalancing", "ssm"],
        );
    });

    it("are EC2 in one zone, where pools have nodes to be deleted and nobody else calls it", () => {
        const ec2 = (isInEachZone: boolean) => ({ service: "ec2", isInEachZone });
        assert.deepEqual(serviceEndpoints({ ...isolated, pools }), [ec2(false)]);
        assert.deepEqual(serviceEndpoints({ ...isolated, pools, vpcEndpoints: ["ssm"] }), [
            ec2(false),
            { service: "ssm", isInEachZone: true },
        ]);
        for (const called of [
            { vpcEndpoints: ["ec2"] },
            { hasCsiDriver: true },
            { hasCloudController: true },
            { hasClusterAutoscaler: true },
        ]) {
            const [found] = serviceEndpoints({ ...isolated, pools, ...called }).filter(
                ({ service }) => service === "ec2",
            );
            assert.deepEqual(found, ec2(true), JSON.stringify(called));
        }
    });

    it("are none where NAT gateways lead to all of them", () => {
        assert.deepEqual(serviceEndpoints({ ...none, natGateways: "one", hasCsiDriver: true, pools }), []);
    });

    it("are asked for once, and not S3, which has one", () => {
        assert.throws(() => requireEndpoints(["ssm", "ssm"], "none"), {
            message: "vpcEndpoints[1] must be given once, got ssm",
        });
        assert.throws(() => requireEndpoints(["s3"], "none"), {
            message: "vpcEndpoints[0] must be left out, since s3 has one already, got s3",
        });
    });
});
