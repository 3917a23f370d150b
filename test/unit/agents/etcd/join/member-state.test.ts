import assert from "node:assert/strict";
import { type Disk, type MemberState, memberState } from "../../../../../agents/etcd/join/member-state";
import type { Member } from "../../../../../clients/etcd/client";

const self = {
    name: "c-controller-1",
    peerUrl: "https://10.0.0.12:2380",
    directories: { pki: "/pki", staticPods: "/manifests", data: "/data" },
};
const first: Member = { ID: "1", name: "c-controller-0", peerURLs: ["https://10.0.0.11:2380"] };
const fresh: Member = { ID: "2", peerURLs: [self.peerUrl], isLearner: true };
const known: Member = { ...fresh, name: self.name };
const moved: Member = { ...known, ID: "3", peerURLs: ["https://10.0.0.99:2380"] };

const blank: Disk = { hasData: false, hasStaticPod: false };
const installed: Disk = { hasData: false, hasStaticPod: true };
const running: Disk = { hasData: true, hasStaticPod: true };

describe("a machine in the etcd cluster", () => {
    const cases: [string, Member[], Disk, MemberState][] = [
        ["is absent if nothing is known about it", [first], blank, { kind: "absent" }],
        ["is absent with only a static pod", [first], installed, { kind: "absent" }],
        ["is stale on a blank machine", [first, known], blank, { kind: "stale", members: [known] }],
        ["is stale even if it has never started", [first, fresh], blank, { kind: "stale", members: [fresh] }],
        ["is starting once its static pod exists", [first, fresh], installed, { kind: "starting", member: fresh }],
        ["is stale if its data is lost", [first, known], installed, { kind: "stale", members: [known] }],
        ["is stale if its name has another URL", [first, moved], blank, { kind: "stale", members: [moved] }],
        [
            "is stale under both, if another member has its name",
            [fresh, moved],
            blank,
            { kind: "stale", members: [fresh, moved] },
        ],
        ["has joined with its data", [first, known], running, { kind: "joined", member: known }],
        ["has joined before it published its name", [first, fresh], running, { kind: "joined", member: fresh }],
        [
            "has joined without its static pod",
            [known],
            { ...running, hasStaticPod: false },
            { kind: "joined", member: known },
        ],
        [
            "has moved with its data to another address",
            [first, moved],
            { ...running, memberId: "3", hasStaticPod: false },
            { kind: "moved", member: moved },
        ],
    ];
    for (const [title, members, disk, expected] of cases) {
        it(title, () => assert.deepEqual(memberState(self, members, disk), expected));
    }

    it("needs a manual decision if the cluster does not have the data's member", () => {
        const ofAnother = { ...running, memberId: "1" };
        assert.throws(
            () => memberState(self, [first, moved], ofAnother),
            /\/data must be the data of a member at .*To join as a new member, move \/data and the static pod in \S+ away$/,
        );
        assert.throws(
            () => memberState(self, [first, moved], running),
            /^Error: \/data must be the data of a member at https:\/\/10\.0\.0\.12:2380, but the cluster has only c-controller-0 \(.*\), c-controller-1 \(https:\/\/10\.0\.0\.99:2380, learner\)\./,
        );
    });
});
