import assert from "node:assert/strict";
import { requireEndpoints, serviceEndpoints } from "../../../../../components/aws/network/endpoints";

const none = {
    hasCloudController: false,
    hasCsiDriver: false,
    hasClusterAutoscaler: false,
    hasServingApprover: false,
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

    it("are in one zone what pools have called by themselves, where nobody else calls it", () => {
        const one = (service: string) => ({ service, isInEachZone: false });
        const each = (service: string) => ({ service, isInEachZone: true });
        const own = [one("autoscaling"), one("ec2")];
        assert.deepEqual(serviceEndpoints({ ...isolated, pools }), own);
        assert.deepEqual(serviceEndpoints({ ...isolated, hasServingApprover: true }), [one("ec2")]);
        const table: [object, object[]][] = [
            [{ vpcEndpoints: ["ssm"] }, [...own, each("ssm")]],
            [{ hasServingApprover: true }, own],
            [{ vpcEndpoints: ["ec2"] }, [one("autoscaling"), each("ec2")]],
            [{ hasCsiDriver: true }, [one("autoscaling"), each("ec2")]],
            [{ hasCloudController: true }, [one("autoscaling"), each("ec2"), each("elasticloadbalancing")]],
            [{ hasClusterAutoscaler: true }, [each("autoscaling"), each("ec2")]],
        ];
        for (const [called, expected] of table) {
            assert.deepEqual(serviceEndpoints({ ...isolated, pools, ...called }), expected, JSON.stringify(called));
        }
    });

    it("are none where NAT gateways lead to all of them", () => {
        assert.deepEqual(serviceEndpoints({ ...none, natGateways: "one", hasCsiDriver: true, pools }), []);
    });

    it("are asked for once, and not S3, which has one", () => {
        assert.throws(() => requireEndpoints(["ssm", "ssm"], "none"), {
            message: "vpcEndpoints[1] must be listed once, got ssm",
        });
        assert.throws(() => requireEndpoints(["s3"], "none"), {
            message: "vpcEndpoints[0] must be omitted, because s3 already has one, got s3",
        });
    });
});
