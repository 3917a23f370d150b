import assert from "node:assert/strict";
import { requireEndpoints, serviceEndpoints } from "../../../../../components/aws/network/endpoints";

const none = {
    cloudController: false,
    csiDriver: false,
    autoscaler: false,
    hasServingApprover: false,
    hasRepairer: false,
    vpcEndpoints: [],
    pools: {},
};
const isolated = { ...none, natGateways: "none" as const };
const pools = { default: {} };

describe("services with endpoints", () => {
    const names = (aws: Parameters<typeof serviceEndpoints>[0]) => serviceEndpoints(aws).map(({ service }) => service);

    it("are those that controllers in the cluster call and the configured ones, each once", () => {
        assert.deepEqual(names(isolated), []);
        assert.deepEqual(names({ ...isolated, csiDriver: true }), ["ec2"]);
        assert.deepEqual(
            names({
                ...isolated,
                cloudController: true,
                autoscaler: true,
                vpcEndpoints: ["ssm", "ec2"],
            }),
            ["autoscaling", "ec2", "elasticloadbalancing", "ssm"],
        );
    });

    it("are in one zone if only pools call them", () => {
        const one = (service: string) => ({ service, isInEachZone: false });
        const each = (service: string) => ({ service, isInEachZone: true });
        const own = [one("autoscaling"), one("ec2")];
        assert.deepEqual(serviceEndpoints({ ...isolated, pools }), own);
        assert.deepEqual(serviceEndpoints({ ...isolated, hasServingApprover: true }), [one("ec2")]);
        assert.deepEqual(serviceEndpoints({ ...isolated, hasRepairer: true }), [one("ec2")]);
        const table: [object, object[]][] = [
            [{ vpcEndpoints: ["ssm"] }, [...own, each("ssm")]],
            [{ hasServingApprover: true }, own],
            [{ vpcEndpoints: ["ec2"] }, [one("autoscaling"), each("ec2")]],
            [{ csiDriver: true }, [one("autoscaling"), each("ec2")]],
            [{ cloudController: true }, [one("autoscaling"), each("ec2"), each("elasticloadbalancing")]],
            [{ autoscaler: true }, [each("autoscaling"), each("ec2")]],
        ];
        for (const [called, expected] of table) {
            assert.deepEqual(serviceEndpoints({ ...isolated, pools, ...called }), expected, JSON.stringify(called));
        }
    });

    it("are none where NAT gateways lead to all of them", () => {
        assert.deepEqual(serviceEndpoints({ ...none, natGateways: "one", csiDriver: true, pools }), []);
    });

    it("must be listed once, without S3, which already has one", () => {
        assert.throws(() => requireEndpoints(["ssm", "ssm"], "none"), {
            message: "vpcEndpoints[1] must not be listed twice (got ssm)",
        });
        assert.throws(() => requireEndpoints(["s3"], "none"), {
            message: "vpcEndpoints[0] must not be s3, which already has an endpoint",
        });
    });
});
