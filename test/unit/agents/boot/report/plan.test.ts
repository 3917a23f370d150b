import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/boot/report/plan";
import { readPlan } from "../../../../../agents/harness/plan";
import { Host } from "./scene";

describe("the reporter's plan", () => {
    it("is rejected with all of its problems", async () => {
        const host = await Host.create();
        try {
            host.write("/plan.json", JSON.stringify(host.plan));
            assert.deepEqual(readPlan(`${host.root}/plan.json`, planSchema), host.plan);
            host.write("/plan.json", JSON.stringify({ ...host.plan, apiservers: ["10.0.0.1"], state: "state" }));
            assert.throws(
                () => readPlan(`${host.root}/plan.json`, planSchema),
                /apiservers must be loopback addresses \(got \["10.0.0.1"\]\); state must be an absolute path \(got "state"\)/,
            );
        } finally {
            host.remove();
        }
    });
});
