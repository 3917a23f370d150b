import assert from "node:assert/strict";
import { othersProblem } from "../../../../clients/etcd/members";

const member = (ID: string, more: object = {}) => ({
    ID,
    name: `m${ID}`,
    peerURLs: [`https://10.0.0.${ID}:2380`],
    ...more,
});
const three = [member("1"), member("2"), member("3")];
const health = (...healthy: string[]) => ({ healthy: new Set(healthy), problems: ["it does not answer"] });

describe("stopping an etcd member", () => {
    it("is allowed if every other member is healthy, regardless of its own health", () => {
        assert.equal(othersProblem("m1", three, health("1", "2", "3")), undefined);
        assert.equal(othersProblem("m1", three, health("2", "3")), undefined);
        assert.equal(othersProblem("m1", [member("1")], health()), undefined);
    });

    it("is not allowed while another one is down, even if a majority would remain", () => {
        const five = [...three, member("4"), member("5")];
        assert.equal(
            othersProblem("m1", five, health("1", "2", "3", "4")),
            "m5 (https://10.0.0.5:2380) must be healthy first: it does not answer",
        );
    });

    it("is not allowed while another one joins, or if it is not a member", () => {
        const learner = member("3", { isLearner: true });
        assert.equal(
            othersProblem("m1", [member("1"), member("2"), learner], health("1", "2")),
            "m3 (https://10.0.0.3:2380, learner) is still a learner",
        );
        assert.match(othersProblem("m9", three, health("1", "2", "3"))!, /^m9 is not a member of the cluster: m1 /);
    });
});
