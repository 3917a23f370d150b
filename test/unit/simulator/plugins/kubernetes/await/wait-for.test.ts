import assert from "node:assert/strict";
import { waitedFor } from "../../../../../../simulator/plugins/kubernetes/await/rules";
import type { KubernetesObject } from "../../../../../../simulator/plugins/kubernetes/object";
import { condition } from "./readiness-cases";

const NOTHING = { list: async () => [], get: async () => undefined };

describe("the program's wait conditions", () => {
    const check = (expression: string, object: KubernetesObject) => {
        const annotations = { "pulumi.com/waitFor": expression };
        return waitedFor({ metadata: { annotations } })?.check(object, NOTHING);
    };
    const object = {
        status: { phase: "Running", conditions: [condition("Synced", "True"), condition("Bad", "False")] },
    };
    const cases: [string, boolean][] = [
        ["condition=Synced", true],
        ["condition=Bad", false],
        ["condition=Bad=False", true],
        ["jsonpath={.status.phase}", true],
        ["jsonpath={.status.phase}=Running", true],
        ["jsonpath={.status.phase}=Done", false],
        ["jsonpath={.status.conditions[0].type}=Synced", true],
        ["jsonpath={.status.none}", false],
        ['["condition=Synced", "jsonpath={.status.none}"]', false],
    ];
    for (const [expression, isMet] of cases) {
        it(`${expression} is ${isMet ? "met" : "not met"}`, async () => {
            assert.equal((await check(expression, object))?.isReady, isMet);
        });
    }

    it("must be valid", () => {
        assert.throws(() => check("phase=Done", object), /pulumi.com\/waitFor must be .* \(got phase=Done\)/);
    });
});
