import assert from "node:assert/strict";
import { etcdProblems } from "../../../../../agents/nodes/reboot-approver/observe";

const member = { name: "a", isLearner: false };
const told = (more: object) => etcdProblems(JSON.stringify({ members: [member], alarms: [], ...more }));

describe("etcd, before a node is rebooted", () => {
    it("is whole when each member votes and is well", () => assert.deepEqual(told({}), []));

    const table: [string, string[], RegExp][] = [
        ["nobody told of it", etcdProblems(undefined), /nothing is known/],
        ["its keeper knows nothing", told({ problem: "no answer" }), /no answer/],
        ["a member is away", told({ members: [member, { ...member, name: "b", problem: "no" }] }), /etcd of b: no/],
        ["a member does not vote", told({ members: [{ ...member, isLearner: true }] }), /etcd of a: it does not vote/],
        ["it raises an alarm", told({ alarms: [{ member: "a", alarm: "NOSPACE" }] }), /alarm NOSPACE/],
    ];
    for (const [title, problems, expected] of table) {
        it(`is not whole when ${title}`, () => {
            assert.equal(problems.length, 1);
            assert.match(problems[0]!, expected);
        });
    }
});
