import assert from "node:assert/strict";
import { type Disk, type Standing, standing } from "../../../../../agents/etcd/join/standing";
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

describe("standing", () => {
    const cases: [string, Member[], Disk, Standing][] = [
        ["is absent when nothing is known of it", [first], blank, { kind: "absent" }],
        ["is absent with a static pod alone", [first], installed, { kind: "absent" }],
        ["is stale on a machine that is blank", [first, known], blank, { kind: "stale", members: [known] }],
        ["is stale even when it never started", [first, fresh], blank, { kind: "stale", members: [fresh] }],
        ["is starting once its static pod is there", [first, fresh], installed, { kind: "starting", member: fresh }],
        ["is stale when its data is lost", [first, known], installed, { kind: "stale", members: [known] }],
        ["is stale when its name has another URL", [first, moved], blank, { kind: "stale", members: [moved] }],
        ["is stale under both, its name elsewhere", [fresh, moved], blank, { kind: "stale", members: [fresh, moved] }],
        ["has joined with its data", [first, known], running, { kind: "joined", member: known }],
        ["has joined before it told its name", [first, fresh], running, { kind: "joined", member: fresh }],
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
        it(title, () => assert.deepEqual(standing(self, members, disk), expected));
    }

    it("is for a person to decide when the cluster does not know the data", () => {
        const ofAnother = { ...running, memberId: "1" };
        assert.throws(
            () => standing(self, [first, moved], ofAnother),
            /\/data must be the data of a member at .*To join anew, move \/data and the static pod in \S+ away$/,
        );
        assert.throws(
            () => standing(self, [first, moved], running),
            /^Error: \/data must be the data of a member at https:\/\/10\.0\.0\.12:2380, but the cluster has only c-controller-0 \(.*\), c-controller-1 \(https:\/\/10\.0\.0\.99:2380, learner\)\./,
        );
    });
});
