import assert from "node:assert/strict";
import { forgetOthers, tellLeft } from "../../../../clients/kubernetes/signing-requests";

const named = (name: string) => ({ metadata: { name, resourceVersion: "1" } });

describe("the reason for leaving a signing request", () => {
    let lines: string[];
    const { log } = console;

    beforeEach(() => {
        lines = [];
        console.log = (line: string) => lines.push(line);
    });

    afterEach(() => {
        console.log = log;
    });

    it("is logged once per reason", () => {
        const told = new Map<string, string>();
        for (const why of ["no address", "no address", "another node", "another node"]) {
            tellLeft(told, named("csr-1"), why);
        }
        assert.deepEqual(lines, ["not approving csr-1: no address", "not approving csr-1: another node"]);
    });

    it("is logged without terminal control characters", () => {
        tellLeft(new Map(), named("csr-1"), "for \u001b[31mroot\nleft csr-2");
        assert.deepEqual(lines, ["not approving csr-1: for ?[31mroot?left csr-2"]);
    });

    it("is forgotten together with the request, and logged again if one with its name returns", () => {
        const told = new Map([
            ["csr-1", "no address"],
            ["csr-2", "no address"],
        ]);
        forgetOthers(told, [named("csr-2")]);
        assert.deepEqual([...told.keys()], ["csr-2"]);
    });
});
