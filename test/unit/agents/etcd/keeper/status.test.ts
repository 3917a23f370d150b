import assert from "node:assert/strict";
import { isNews, type MembersStatus } from "../../../../../agents/etcd/keeper/status";

const member = { id: "1", name: "a", isLearner: false, isLeader: true, dbSize: 100, dbSizeInUse: 100, quota: 1000 };
const known: MembersStatus = { time: "2026-11-21T12:00:00Z", clusterId: "1", members: [member], alarms: [] };

describe("etcd's status", () => {
    const cases: [string, MembersStatus, boolean][] = [
        ["the same at another time", { ...known, time: "2026-11-21T13:00:00Z" }, false],
        ["a slightly larger store", { ...known, members: [{ ...member, dbSize: 119 }] }, false],
        ["a store larger by a fifth", { ...known, members: [{ ...member, dbSize: 121 }] }, true],
        ["a store emptied by a fifth", { ...known, members: [{ ...member, dbSizeInUse: 79 }] }, true],
        ["another leader", { ...known, members: [{ ...member, isLeader: false }] }, true],
        ["an unhealthy member", { ...known, members: [{ ...member, problem: "down" }] }, true],
        ["another member", { ...known, members: [member, { ...member, id: "2", name: "b" }] }, true],
        ["an alarm", { ...known, alarms: [{ member: "a", memberId: "1", alarm: "NOSPACE" }] }, true],
        ["no members, because of a problem", { ...known, members: [], problem: "no majority" }, true],
    ];
    for (const [what, now, isPublished] of cases) {
        it(`is ${isPublished ? "" : "not "}published for ${what}`, () => assert.equal(isNews(known, now), isPublished));
    }

    it("is published at first", () => assert.equal(isNews(undefined, known), true));
});
