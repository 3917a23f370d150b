import assert from "node:assert/strict";
import { decide, type Question, requireLostData, snapshotSource } from "../../../../cli/recover/decide";
import type { ControllerFacts } from "../../../../cli/recover/facts";

const good: ControllerFacts = {
    hasJoined: true,
    hasEtcdData: true,
    isEtcdDataWhole: true,
    hasEtcdStaticPod: true,
    isEtcdReady: true,
    last: { isOver: true },
    snapshots: [],
};
const empty: ControllerFacts = {
    hasJoined: false,
    hasEtcdData: false,
    isEtcdDataWhole: false,
    hasEtcdStaticPod: false,
    isEtcdReady: false,
    snapshots: [],
};
const ask = (facts: ControllerFacts, change: Partial<Question> = {}) =>
    decide({ controller: "c-controller-0", isFirst: true, from: "etcd", isHeld: false, facts, ...change });

describe("a recovery", () => {
    it("begins if etcd serves", () => {
        assert.deepEqual(ask(good), { kind: "begin", isNew: false, lacksMember: false });
    });

    it("waits for an etcd that is not ready, and then suggests an alternative", () => {
        const decision = ask({ ...good, isEtcdReady: false });
        assert.equal(decision.kind, "wait");
        assert.match((decision as { why: string }).why, /etcd on c-controller-0 is not ready.*--from snapshot/s);
    });

    it("adds a missing static pod of a member", () => {
        assert.deepEqual(ask({ ...good, hasEtcdStaticPod: false, isEtcdReady: false }), {
            kind: "begin",
            isNew: false,
            lacksMember: true,
        });
    });

    it("from a snapshot needs neither etcd nor a machine that ever joined", () => {
        assert.deepEqual(ask(empty, { from: "snapshot" }), { kind: "begin", isNew: true, lacksMember: true });
    });

    it("gives the first controller its first certificate back, without waiting for an etcd that only its kubelet starts", () => {
        const facts = { ...good, hasJoined: false, isEtcdReady: false };
        assert.deepEqual(ask(facts), { kind: "begin", isNew: true, lacksMember: false });
        assert.deepEqual(ask({ ...facts, hasEtcdStaticPod: false }), {
            kind: "begin",
            isNew: true,
            lacksMember: true,
        });
    });

    it("from a snapshot is refused while etcd serves or could serve with its data", () => {
        const stopped = { ...good, isEtcdReady: false };
        const short = { ...stopped, isEtcdDataWhole: false };
        const tried = (count: number, ...all: ControllerFacts[]) =>
            requireLostData(new Map(all.map((facts, index) => [`c-controller-${index}`, facts])), count);
        assert.throws(() => tried(1, stopped), {
            message:
                "etcd's data on c-controller-0 is intact, and a snapshot would lose what was written after it; " +
                "use --from etcd, or --discard-data to restore the snapshot anyway",
        });
        assert.throws(() => tried(3, short, stopped, stopped), /on c-controller-1 and c-controller-2 is intact/);
        assert.throws(() => tried(3, { ...short, isEtcdReady: true }), /on c-controller-0 is intact/);
        tried(1, short);
        tried(1, empty);
        // A majority is lost.
        tried(3, stopped);
        tried(3, stopped, short);
    });

    it("cannot use an etcd without data", () => {
        assert.throws(() => ask(empty), {
            message: "etcd on c-controller-0 has no data, which --from etcd requires; use --from snapshot",
        });
    });

    it("cannot begin on another controller that never joined", () => {
        assert.throws(
            () => ask(empty, { isFirst: false, from: "snapshot" }),
            /the kubelet of c-controller-0 has no valid certificate; omit --controller/,
        );
    });

    const recovery = { id: "20261121T100000", from: "etcd", isHeld: false };
    it("continues an unfinished recovery with the same options", () => {
        const decision = ask({ ...good, last: { recovery, isOver: false } });
        assert.deepEqual(decision, { kind: "continue", id: "20261121T100000" });
    });

    it("begins again with other options, or once the previous one has ended", () => {
        const begin = { kind: "begin", isNew: false, lacksMember: false };
        const last = { recovery, isOver: false };
        assert.deepEqual(ask({ ...good, last }, { from: "snapshot" }), begin);
        assert.deepEqual(ask({ ...good, last }, { isHeld: true }), begin);
        assert.deepEqual(ask({ ...good, last: { recovery, isOver: true } }), begin);
    });

    it("begins again with another snapshot, such as in place of a damaged one, and continues with any", () => {
        const of = (own?: string): ControllerFacts => ({
            ...{ ...empty, hasJoined: true },
            last: { recovery: { ...recovery, from: "snapshot", ...(own && { snapshot: own }) }, isOver: false },
        });
        const kind = (own: string | undefined, snapshot?: string) =>
            ask(of(own), { from: "snapshot", ...(snapshot && { snapshot }) }).kind;
        assert.equal(kind("c-1", "c-2"), "begin");
        for (const given of ["c-1", undefined]) assert.equal(kind("c-1", given), "continue");
        // An older release recorded none.
        assert.equal(kind(undefined, "c-2"), "continue");
    });

    it("leaves the first start of a cluster to the stack", () => {
        assert.throws(() => ask({ ...good, last: { isOver: false } }), /first start .* resume it with pulumi up/);
    });
});

describe("the snapshot of a recovery", () => {
    const [first, second] = ["c-20261120T100000.000Z", "c-20261121T100000.000Z"] as const;
    const wish = {
        isFile: false,
        brought: "/brought.db",
        directory: "/snapshots",
        controller: "c-controller-0",
        cluster: "c",
        snapshots: [first, second],
    };

    it("is the newest of the controller, the given one, or a copied file", () => {
        assert.deepEqual(snapshotSource(wish), { file: `/snapshots/${second}.db` });
        assert.deepEqual(snapshotSource({ ...wish, snapshot: first }), { file: `/snapshots/${first}.db` });
        assert.deepEqual(snapshotSource({ ...wish, snapshot: "x.db", isFile: true }), { file: "/brought.db" });
    });

    it("is one of another cluster, copied there for a restore, only by its name", () => {
        const others = ["c-d-20261122T100000.000Z", "z-20261120T090000.000Z", "zz"];
        const snapshots = [...wish.snapshots, ...others];
        assert.deepEqual(snapshotSource({ ...wish, snapshots }), { file: `/snapshots/${second}.db` });
        assert.deepEqual(snapshotSource({ ...wish, snapshots, snapshot: "zz" }), { file: "/snapshots/zz.db" });
        assert.throws(() => snapshotSource({ ...wish, snapshots: others }), /has no snapshot of c in/);
    });

    it("must exist", () => {
        assert.throws(
            () => snapshotSource({ ...wish, snapshot: "c-3" }),
            /--snapshot must be a local file or a snapshot on c-controller-0 \(one of c-\S+, c-\S+\) \(got c-3\)/,
        );
        assert.throws(
            () => snapshotSource({ ...wish, snapshots: [] }),
            /c-controller-0 has no snapshot of c in \/snapshots; use --snapshot FILE$/,
        );
        assert.throws(() => snapshotSource({ ...wish, snapshots: [], hasStore: true }), /FILE or --store$/);
    });
});
