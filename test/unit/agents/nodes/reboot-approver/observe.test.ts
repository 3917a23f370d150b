import assert from "node:assert/strict";
import type { MembersStatus } from "../../../../../agents/etcd/keeper/status";
import { etcdProblems } from "../../../../../agents/nodes/reboot-approver/observe";

const member = { name: "a", isLearner: false };
const problemsOf = (more: object) =>
    etcdProblems({ time: "", members: [member], alarms: [], ...more } as unknown as MembersStatus);

describe("etcd, before a node reboots", () => {
    it("is healthy if each member votes and is healthy", () => assert.deepEqual(problemsOf({}), []));

    const table: [string, string[], RegExp][] = [
        ["its state is unknown", etcdProblems(undefined), /the state of etcd is unknown/],
        ["its keeper has no information", problemsOf({ problem: "no answer" }), /no answer/],
        [
            "a member is down",
            problemsOf({ members: [member, { ...member, name: "b", problem: "no" }] }),
            /etcd of b: no/,
        ],
        [
            "a member does not vote",
            problemsOf({ members: [{ ...member, isLearner: true }] }),
            /etcd of a: it is not a voter/,
        ],
        ["it raises an alarm", problemsOf({ alarms: [{ member: "a", alarm: "NOSPACE" }] }), /alarm NOSPACE/],
    ];
    for (const [title, problems, expected] of table) {
        it(`is unhealthy if ${title}`, () => {
            assert.equal(problems.length, 1);
            assert.match(problems[0]!, expected);
        });
    }
});
