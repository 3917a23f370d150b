import assert from "node:assert/strict";
import { requireMachines } from "../../../local/ready";

describe("machines of a stack", () => {
    const nodes = ["blue-controller-0", "blue-default-0", "blue-default-1"];

    it("are listed if missing, with advice", () => {
        assert.throws(() => requireMachines("blue", nodes, ["blue-default-0"]), {
            message: [
                "the machines blue-controller-0, blue-default-1 are in the stack's state but no longer exist on this machine:",
                "  npm start -- --destroy --name blue   then npm start again",
            ].join("\n"),
        });
        assert.throws(() => requireMachines("local", nodes, []), /npm start -- --destroy {3}then/);
    });

    it("may be more than those in the stack", () => {
        requireMachines("blue", nodes, [...nodes, "blue-controller-1"]);
    });
});
