import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { notApplicable } from "../../../../dev/conformance/not-applicable";
import { product, renderOutcome } from "../../../../dev/conformance/submission";
import { cloudNames, subsetNames, suites } from "../../../../dev/conformance/suites";

describe("suites of conformance", () => {
    it("select the specs of the subset by their whole names, and only conformance specs", () => {
        const focus = new RegExp(suites.subset.focus);
        const names = subsetNames();
        assert.ok(names.length > 50, `${names.length} names`);
        assert.equal(new Set(names).size, names.length);
        for (const name of names) {
            assert.match(`${name} [Conformance]`, focus);
            assert.doesNotMatch(name, focus);
        }
        assert.doesNotMatch("[sig-network] DNS should provide DNS for pods [Conformance]", focus);
    });

    it("select each spec for clouds from those of the subset", () => {
        const focus = new RegExp(suites.cloud.focus);
        for (const name of cloudNames) {
            assert.equal(subsetNames().filter((each) => each.startsWith(name)).length, 1, name);
        }
        assert.equal(subsetNames().filter((name) => focus.test(`${name} [Conformance]`)).length, cloudNames.length);
    });

    it("skip what does not apply, each for a reason", () => {
        const skip = new RegExp(suites.others.skip);
        for (const name of [
            "[sig-network] Netpol NetworkPolicy between server and client should deny ingress",
            "[sig-network] LoadBalancers should be able to change the type",
            "[sig-storage] In-tree Volumes [Driver: nfs] should store data",
            "[sig-network] Services should serve SCTP",
            "[sig-apps] Job should run a job [Conformance]",
        ]) {
            assert.match(name, skip, name);
        }
        const policy = "[sig-network] Netpol NetworkPolicy should deny ingress [Feature:NetworkPolicy]";
        assert.doesNotMatch(policy, new RegExp(suites.netpol.skip));
        assert.doesNotMatch("[sig-cli] Kubectl Port forwarding should support forwarding over websockets", skip);
        const page = readFileSync(join(__dirname, "../../../../docs/conformance.md"), "utf8").replaceAll(/ +\|/g, " |");
        for (const { tests, reason } of notApplicable) assert.ok(page.includes(`| ${tests} | ${reason} |`), tests);
    });

    it("describe the product for a submission, and the result for the user", () => {
        assert.equal(product({ version: "1.2.3", description: "text" }).version, "v1.2.3");
        const outcome = { passed: ["a", "b"], failed: [{ name: "c", message: "no answer\nmore" }], seconds: 150 };
        assert.equal(renderOutcome(outcome), "failed: c\n    no answer\n2 passed, 1 failed, in 3 min");
    });
});
