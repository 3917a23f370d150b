import assert from "node:assert/strict";
import { forgetOthers, tellLeft } from "../../../../clients/kubernetes/signing-requests";

const named = (name: string) => ({ metadata: { name, resourceVersion: "1" } });

describe("what is said of a signing request that is left", () => {
    let lines: string[];
    const { log } = console;

    beforeEach(() => {
        lines = [];
        console.log = (line: string) => lines.push(line);
    });

    afterEach(() => {
        console.log = log;
    });

    it("is said once for each reason", () => {
        const told = new Map<string, string>();
        for (const why of ["no address", "no address", "another node", "another node"]) {
            tellLeft(told, named("csr-1"), why);
        }
        assert.deepEqual(lines, ["left csr-1 as it is: no address", "left csr-1 as it is: another node"]);
    });

    it("is printed without what a terminal would take for a command", () => {
        tellLeft(new Map(), named("csr-1"), "for \u001b[31mroot\nleft csr-2");
        assert.deepEqual(lines, ["left csr-1 as it is: for ?[31mroot?left csr-2"]);
    });

    it("is forgotten with the request, and said again should one of its name come back", () => {
        const told = new Map([
            ["csr-1", "no address"],
            ["csr-2", "no address"],
        ]);
        forgetOthers(told, [named("csr-2")]);
        assert.deepEqual([...told.keys()], ["csr-2"]);
    });
});
