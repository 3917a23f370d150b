import assert from "node:assert/strict";
import type { Bill } from "../../../../../cli/verify-cloud/clouds/facts";
import { count, monthlyCost, sum } from "../../../../../cli/verify-cloud/cost/bill";

const none = sum([]);

describe("a bill", () => {
    it("is the monthly price of each item times its number", () => {
        const bill = { ...none, controllers: { "t3.small": 1 }, workers: { "t3.medium": 2 }, storage: 90 };
        const month = 730;
        const machines = 0.0208 * month + 2 * 0.0416 * month;
        assert.equal(monthlyCost("aws", none), 0);
        assert.equal(monthlyCost("aws", bill).toFixed(6), (machines + 7.2).toFixed(6));
        const network = { ...bill, publicAddresses: 4, natGateways: 3, loadBalancers: 1, endpoints: 6, hostedZones: 1 };
        const more = 4 * 0.005 * month + 3 * 0.045 * month + 0.0225 * month + 6 * 0.01 * month + 0.5;
        assert.equal(monthlyCost("aws", network).toFixed(6), (machines + 7.2 + more).toFixed(6));
        assert.equal(monthlyCost("digitalocean", { ...none, controllers: { "s-2vcpu-4gb": 3 }, loadBalancers: 2 }), 96);
    });

    it("knows the price of every machine type, or fails", () => {
        assert.throws(() => monthlyCost("aws", { ...none, workers: { "x9.huge": 1 } }), {
            message: "cli/verify-cloud/clouds/aws.ts has no price for x9.huge",
        });
    });

    it("adds up", () => {
        const bills: Partial<Bill>[] = [
            { workers: { a: 1 }, storage: 5 },
            { workers: { a: 2, b: 1 }, natGateways: 1 },
            {},
        ];
        assert.deepEqual(sum(bills), { ...none, workers: { a: 3, b: 1 }, storage: 5, natGateways: 1 });
        assert.equal(count(sum(bills).workers), 4);
    });
});
