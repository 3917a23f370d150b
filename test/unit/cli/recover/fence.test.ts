import assert from "node:assert/strict";
import type { ControllerFacts } from "../../../../cli/recover/facts";
import {
    decideTakeOver,
    keepOut,
    requireLost,
    requireSnapshotFile,
    type Sighting,
} from "../../../../cli/recover/fence";
import type { MachineFile } from "../../../../machines";

const clean: ControllerFacts = {
    hasJoined: true,
    hasEtcdData: false,
    isEtcdDataWhole: false,
    hasEtcdStaticPod: false,
    isEtcdReady: false,
    snapshots: [],
};
const controller: ControllerFacts = {
    ...clean,
    hasEtcdData: true,
    isEtcdDataWhole: true,
    hasEtcdStaticPod: true,
    isEtcdReady: true,
};

describe("lost controllers", () => {
    const judge = (sightings: Record<string, Sighting>, confirmed: readonly string[] = []) =>
        requireLost(new Map(Object.entries(sightings)), "c-default-0", confirmed);
    const silent: Sighting = { kind: "silent", why: "timed out" };

    it("are replaced if each other machine is off, or answers and has nothing of a controller", () => {
        assert.deepEqual(judge({ "c-controller-0": { kind: "off" }, "c-default-1": { kind: "on", facts: clean } }), [
            "c-controller-0 is off",
            "c-default-1 is on, and has nothing of a controller",
        ]);
    });

    it("are replaced if an administrator says that a machine that does not answer is off", () => {
        assert.deepEqual(judge({ "c-controller-0": silent }, ["c-controller-0"]), [
            "c-controller-0 is off, as you say",
        ]);
    });

    const refused: Record<string, [Record<string, Sighting>, string[], RegExp]> = {
        "a machine may still run": [{ "c-controller-0": silent }, [], /may still run.*--off c-controller-0$/],
        "another one may, a candidate that may have been promoted": [
            { "c-controller-0": silent, "c-default-1": silent },
            ["c-controller-0"],
            /^c-default-1 does not answer.*--off c-controller-0,c-default-1$/,
        ],
        "one serves": [
            { "c-controller-0": { kind: "on", facts: controller } },
            [],
            /^c-controller-0 is on and serves etcd.*--from etcd --controller c-controller-0/,
        ],
        "one has data, although etcd does not run": [
            { "c-controller-0": { kind: "on", facts: { ...controller, isEtcdReady: false } } },
            [],
            /has etcd's data/,
        ],
        "one has lost its data, but is on": [
            { "c-controller-0": { kind: "on", facts: { ...clean, hasEtcdStaticPod: true } } },
            [],
            /--from snapshot --controller c-controller-0/,
        ],
        "one that is said to be off is on, although it says nothing": [
            { "c-controller-0": { kind: "silent", why: "Permission denied", isOn: true } },
            ["c-controller-0"],
            /^c-controller-0 is not off: it answers \(Permission denied\); omit it from --off$/,
        ],
        "one that is said to be off answers": [
            { "c-controller-0": { kind: "on", facts: controller } },
            ["c-controller-0"],
            /is not off/,
        ],
    };
    for (const [title, [sightings, confirmed, message]] of Object.entries(refused)) {
        it(`are not replaced if ${title}`, () => {
            assert.throws(() => judge(sightings, confirmed), { message });
        });
    }
});

describe("a candidate that is to take over", () => {
    const decide = (facts: Partial<ControllerFacts>, isServing = false) =>
        decideTakeOver("c-default-0", { ...clean, ...facts }, isServing);
    const under = { last: { isOver: false, recovery: { id: "1", from: "snapshot" } } };

    it("begins if nothing serves, and resumes what it began, whether or not its copies serve", () => {
        assert.equal(decide({}), "begin");
        assert.equal(decide({ ...controller, ...under }), "resume");
        assert.equal(decide({ ...controller, ...under }, true), "resume");
    });

    it("has nothing to do once it is a controller and the API answers", () => {
        const over = { last: { isOver: true, recovery: { id: "1", from: "snapshot" } } };
        assert.equal(decide({ ...controller, ...over }, true), "done");
    });

    it("is refused while the API answers, without a certificate, and if it was a controller before", () => {
        assert.throws(() => decide({}, true), /tradewind promote c-default-0/);
        assert.throws(() => decide({ ...controller, isEtcdReady: false }, true), /tradewind promote c-default-0/);
        assert.throws(() => decide({ hasJoined: false }), /choose another candidate/);
        assert.throws(() => decide({ ...controller, isEtcdReady: false }), /--controller c-default-0/);
    });
});

describe("machines that are off", () => {
    const power = (running: readonly string[]) => {
        const files: Record<string, string> = {};
        const leave = async (name: string, { path, contents }: MachineFile) => {
            files[`${name}:${path}`] = contents;
        };
        return { files, isOff: async (name: string) => !running.includes(name), leave };
    };
    const file = (name: string) => `${name}:/etc/kubernetes/taken-over`;

    it("find a file when they boot, so that they do not start the old cluster", async () => {
        const { files, ...rest } = power([]);
        await keepOut(rest, ["c-controller-0"], "c-default-0");
        assert.deepEqual(files, { [file("c-controller-0")]: "c-default-0\n" });
    });

    it("find an empty one, which means nothing, if one of them was started meanwhile", async () => {
        const { files, ...rest } = power(["c-controller-1"]);
        const names = ["c-controller-0", "c-controller-1"];
        await assert.rejects(keepOut(rest, names, "c-default-0"), /^Error: c-controller-1 was started meanwhile/);
        assert.deepEqual(files, { [file("c-controller-0")]: "", [file("c-controller-1")]: "" });
    });
});

describe("the snapshot of a candidate", () => {
    const s3 = { ...{ endpoint: "https://s3.eu-central-1.amazonaws.com", bucket: "b", prefix: "c" } };
    const store = { ...s3, region: "eu-central-1", isEncrypted: true, plainHttp: false };

    it("must be a file if only the role of the controllers' instances can read the bucket", () => {
        const withRole = { s3: { ...store, instanceRole: true } };
        const message =
            "--candidate requires --snapshot FILE, since a candidate's role cannot read the bucket: copy the newest of `aws s3 ls s3://b/c/`";
        assert.throws(() => requireSnapshotFile({ snapshot: undefined, store: false }, withRole), { message });
        assert.throws(() => requireSnapshotFile({ snapshot: "c-1", store: true }, withRole), { message });
        requireSnapshotFile({ snapshot: "c-1.db", store: false }, withRole);
        requireSnapshotFile({ snapshot: undefined, store: true }, { s3: { ...store, instanceRole: false } });
        requireSnapshotFile({ snapshot: undefined, store: false }, {});
    });
});
