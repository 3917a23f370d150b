import assert from "node:assert/strict";
import { machineGroups, nodeGroups } from "../../../../../components/aws/machines/machine-groups";

const types = { instanceTypes: ["t3.medium"], drainSeconds: 300 };

describe("the machines of Auto Scaling groups", () => {
    it("are named by their instances' ids", () => {
        const patternOf = (region: string) =>
            new RegExp(machineGroups("c", { region, pools: { a: { ...types, most: 1 } } })!.namePattern);
        const id = "i-0123456789abcdef0";
        for (const name of [id, `${id}.eu-central-1.compute.internal`]) {
            assert.match(name, patternOf("eu-central-1"));
        }
        assert.match(`${id}.ec2.internal`, patternOf("us-east-1"));
        for (const name of [`${id}.eu-west-1.compute.internal`, `${id}.ec2.internal`, "c-controller-0", `x${id}`]) {
            assert.doesNotMatch(name, patternOf("eu-central-1"));
        }
        assert.doesNotMatch(`${id}.eu-central-1xcompute.internal`, patternOf("eu-central-1"));
    });

    it("are nodes of pools that there are, or of none", () => {
        const region = "eu-central-1";
        const { namePattern } = machineGroups("c", { region, pools: { a: { ...types, most: 1 } } })!;
        assert.deepEqual(nodeGroups({ region, pools: { a: { ...types, most: 1 } } }), { namePattern, desired: ["a"] });
        assert.deepEqual(nodeGroups({ region, pools: {} }), { namePattern, desired: [] });
    });

    it("include the maximum of a group and its temporary surplus", () => {
        const pools = {
            one: { ...types, most: 1 },
            many: { ...types, most: 50 },
            refreshed: { ...types, most: 10, refresh: { min: 100, max: 150, warmupSeconds: 1 } },
        };
        assert.deepEqual(machineGroups("c", { region: "eu-central-1", pools })!.max, {
            one: 2,
            many: 55,
            refreshed: 15,
        });
    });

    it("learn from the metadata service that they are terminated, and report to their own group when they are drained", () => {
        const pools = { a: { ...types, most: 1 }, b: { ...types, most: 1 } };
        const { departures } = machineGroups("c", { region: "eu-central-1", pools })!;
        assert.deepEqual(Object.keys(departures!), ["a", "b"]);
        assert.deepEqual(departures!.b, {
            noticesFrom: "http://169.254.169.254",
            group: {
                name: "c-b",
                hook: "c-b-drain",
                region: "eu-central-1",
                service: "https://autoscaling.eu-central-1.amazonaws.com",
            },
        });
    });

    it("are none without pools", () => {
        assert.equal(machineGroups("c", { region: "eu-central-1", pools: {} }), undefined);
    });
});
