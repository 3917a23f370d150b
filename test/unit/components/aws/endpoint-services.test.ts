import assert from "node:assert/strict";
import { endpointServices, requireEndpoints } from "../../../../components/aws/endpoint-services";

const none = { hasCloudController: false, hasCsiDriver: false, hasClusterAutoscaler: false, vpcEndpoints: [] };

describe("services with endpoints", () => {
    it("are those that controllers in the cluster call and those that were asked for, each once", () => {
        const isolated = { ...none, natGateways: "none" as const };
        assert.deepEqual(endpointServices(isolated), []);
        assert.deepEqual(endpointServices({ ...isolated, hasCsiDriver: true }), ["ec2"]);
        assert.deepEqual(
            endpointServices({
                ...isolated,
                hasCloudController: true,
                hasClusterAutoscaler: true,
                vpcEndpoints: ["ssm", "ec2"],
            }),
            ["autoscaling", "ec2", "elasticloadbalancing", "ssm"],
        );
    });

    it("are none where NAT gateways lead to all of them", () => {
        assert.deepEqual(endpointServices({ ...none, natGateways: "one", hasCsiDriver: true }), []);
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
