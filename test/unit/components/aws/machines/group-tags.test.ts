import assert from "node:assert/strict";
import type { AwsOptions, AwsPoolOptions } from "../../../../../components/aws/options";
import { resolveAws } from "../../../../../components/aws/resolve";

const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${at}`, "x"]));

const resolve = (pool: Partial<AwsPoolOptions>, options: Partial<AwsOptions> = {}) => {
    const least = { domain: "example.com", region: "eu-central-1" };
    return resolveAws("c", { ...least, ...options, workerPools: [{ name: "a", ...pool }] });
};
const scaling = { min: 1, max: 3 };

describe("the tags of a group that cluster-autoscaler reads", () => {
    it("are fifty at most, of which the cluster's own are three, and the autoscaler's three", () => {
        resolve({ ...scaling, labels: labels(44) });
        resolve({ ...scaling, labels: labels(41), taints: ["a:NoSchedule", "b:NoSchedule", "c=d:NoExecute"] });
        const legal =
            /^labels and taints of workerPools\[0\] must be at most 44 with min and max, because a group can have 50 tags/;
        assert.throws(() => resolve({ ...scaling, labels: labels(45) }), { message: legal });
        assert.throws(() => resolve({ ...scaling, labels: labels(44), taints: ["a:NoSchedule"] }), { message: legal });
        const tags = { team: "infra", stage: "prod" };
        assert.throws(() => resolve({ ...scaling, labels: labels(43) }, { tags }), {
            message: /must be at most 42 .* \(got 43\)$/,
        });
    });

    it("have keys of 128 characters at most, and one for each key of a taint", () => {
        const key = (length: number) => `example.com/${"k".repeat(length - 12)}`;
        const long = `${"d".repeat(60)}.example.com/${"k".repeat(11)}`;
        assert.equal(long.length, 84);
        resolve({ ...scaling, labels: { [key(70)]: "x" }, taints: [`${key(70)}:NoSchedule`] });
        assert.throws(() => resolve({ ...scaling, labels: { [long]: "x" } }), {
            message: /^a key of workerPools\[0\]\.labels must be at most 82 characters long with min and max \(got d/,
        });
        assert.throws(() => resolve({ ...scaling, taints: [`${long}:NoSchedule`] }), {
            message: /^a key of workerPools\[0\]\.taints must be at most 82 characters long with min and max \(got d/,
        });
        assert.throws(() => resolve({ ...scaling, taints: ["a=b:NoSchedule", "a=c:NoExecute"] }), {
            message: "workerPools[0].taints[1] must be unique by key with min and max (got a)",
        });
    });

    it("are of no matter without min and max", () => {
        resolve({ labels: labels(60), taints: ["a=b:NoSchedule", "a=c:NoExecute"] });
    });
});
