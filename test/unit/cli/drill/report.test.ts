import assert from "node:assert/strict";
import { machineUrns, renderReport } from "../../../../cli/drill/drill";

const result = { cluster: "c", timings: [{ stage: "recover", seconds: 62.24 }], seconds: 93 };

describe("the report of a drill", () => {
    it("says that everything is unchanged, how long it took, and what was not compared", () => {
        const text = renderReport({ ...result, comparison: { compared: 410, ignored: 662, differences: [] } });
        assert.match(text, /^restore drill of c: all 410 objects are unchanged\n/);
        assert.match(text, /from the loss of all controllers to every pod Ready: 93.0 s/);
        assert.match(text, / {2}recover +62.2 s/);
        assert.match(text, /not compared \(662 objects\):\n {2}Pods: /);
    });

    it("lists each difference", () => {
        const text = renderReport({
            ...result,
            comparison: {
                compared: 2,
                ignored: 0,
                differences: [
                    { object: "Secret n/a", kind: "changed", paths: ["data.k", "type"] },
                    { object: "ConfigMap n/b", kind: "missing" },
                ],
            },
        });
        assert.match(text, /2 of 2 objects differ:\n\n {2}changed {2}Secret n\/a: data.k, type\n {2}missing/);
    });
});

describe("the machines of a drill", () => {
    it("are found in the stack by name", () => {
        const urns = ["urn:a$command:local:Command::c-controller-0", "urn:a$command:local:Command::c-controller-01"];
        assert.deepEqual(machineUrns(urns, ["c-controller-0"]), [urns[0]]);
        assert.throws(() => machineUrns(urns, ["c-controller-1"]), /machine c-controller-1 is not in the stack/);
    });
});
