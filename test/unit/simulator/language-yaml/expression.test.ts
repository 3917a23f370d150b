import assert from "node:assert/strict";
import { evaluate, namesIn } from "../../../../simulator/language-yaml/expression";
import { Secret, UNKNOWN } from "../../../../simulator/plugin/values";

const names = {
    cluster: { nodes: ["a", "b"], url: "https://a", kubeconfig: new Secret({ user: "admin" }), later: UNKNOWN },
};

describe("expressions of YAML programs", () => {
    it("name what they refer to, at any depth", () => {
        assert.deepEqual(namesIn({ a: ["${b.c} and ${d}"], e: 1, f: { "fn::secret": "${g[0]}" } }), ["b", "d", "g"]);
    });

    it("are values as they are, or parts of a text", () => {
        assert.deepEqual(evaluate(["${cluster.nodes}", "${cluster.nodes[1]}!", 2, true], names), [
            ["a", "b"],
            "b!",
            2,
            true,
        ]);
        assert.equal(evaluate("${cluster.none}", names), null);
    });

    it("stay secret and unknown", () => {
        assert.deepEqual(evaluate("as ${cluster.kubeconfig.user}", names), new Secret("as admin"));
        assert.equal(evaluate("at ${cluster.later.deeper}", names), UNKNOWN);
        assert.deepEqual(evaluate({ "fn::secret": { key: "k" } }, names), new Secret({ key: "k" }));
    });

    it("refuse names of nothing, and functions that are not here", () => {
        assert.throws(() => evaluate("${other.url}", names), {
            message: "a name must be that of a resource, got other",
        });
        assert.throws(() => evaluate({ "fn::readFile": "a" }, names), {
            message: "a function must be fn::secret here, got fn::readFile",
        });
    });
});
