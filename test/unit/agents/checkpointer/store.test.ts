import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftOf } from "../../../../agents/checkpointer/draft";
import { NotCheckpointable } from "../../../../agents/checkpointer/sanitise";
import { keptGenerations, Store } from "../../../../agents/checkpointer/store";
import { componentUsers } from "../../../../cluster/manifests/pod";
import { layOut, listedPod, scratch } from "./example";

const secret = { plugin: "kubernetes.io~secret", name: "credentials" };
const parent = "kube-system/kube-scheduler";

describe("a checkpoint", () => {
    let root: string;
    let store: Store;
    const draft = (files: Record<string, string>, volume = {}) => {
        rmSync(join(root, "pods"), { recursive: true, force: true });
        layOut(join(root, "pods"), { ...secret, ...volume }, files);
        return draftOf(listedPod("kube-scheduler"), parent, join(root, "pods"));
    };
    const path = (...names: string[]) => join(root, "checkpoints", parent, ...names);
    const at = (second: number) => new Date(second * 1000);

    beforeEach(() => {
        root = scratch();
        store = new Store(join(root, "checkpoints"));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("is in a directory that only root can access, each file readable only by its user", () => {
        store.save(draft({ "tls.key": "key" }), at(1));
        assert.equal(statSync(join(root, "checkpoints")).mode & 0o777, 0o700);
        const { mode, uid, gid } = statSync(path("current/volumes/credentials/tls.key"));
        assert.deepEqual(
            [mode & 0o777, uid, gid],
            [0o400, componentUsers["kube-scheduler"], componentUsers["kube-scheduler"]],
        );
    });

    it("has the volumes' files at their pod's mount paths", () => {
        const { generation } = store.save(draft({ "tls.key": "key", "deep/er": "text" }), at(1));
        const [volume] = JSON.parse(store.manifest(parent)).spec.volumes;
        assert.deepEqual(volume.hostPath, { path: path(generation, "volumes/credentials"), type: "Directory" });
        assert.equal(readFileSync(join(volume.hostPath.path, "deep/er"), "utf8"), "text");
    });

    it("has a new generation if a file changes, and the same one otherwise", () => {
        const one = draft({ "tls.key": "key", "tls.crt": "crt" }).generation;
        assert.equal(draft({ "tls.key": "key", "tls.crt": "crt" }).generation, one);
        assert.notEqual(draft({ "tls.key": "new", "tls.crt": "crt" }).generation, one);
        assert.notEqual(draft({ "tls.key": "key" }).generation, one);
    });

    it("does not contain keys that were removed from the Secret", () => {
        store.save(draft({ old: "1", kept: "1" }), at(1));
        store.save(draft({ kept: "1" }), at(2));
        assert.deepEqual(readdirSync(path("current/volumes/credentials")), ["kept"]);
    });

    it(`is kept with ${keptGenerations - 1} earlier ones, and with one that a copy still runs from`, () => {
        const names = [1, 2, 3, 4, 5].map((second) => draft({ a: String(second) })).map(({ generation }) => generation);
        for (const second of [1, 2, 3, 4, 5]) store.save(draft({ a: String(second) }), at(second), names[0]);
        assert.deepEqual(readdirSync(path()).sort(), ["current", names[0], ...names.slice(2)].sort());
    });

    it("is kept even if the clock was ahead when all others were saved", () => {
        for (const second of [901, 902, 903]) store.save(draft({ a: String(second) }), at(second));
        const { generation } = store.save(draft({ a: "now" }), at(4));
        assert.equal(store.current(parent)?.generation, generation);
        assert.equal(readdirSync(path()).length, 1 + keptGenerations);
    });

    it("becomes the newest again if it is saved again", () => {
        const one = draft({ a: "1" }).generation;
        for (const [second, text] of ["1", "2", "1", "3", "4"].entries()) store.save(draft({ a: text }), at(second));
        assert.ok(readdirSync(path()).includes(one));
        assert.equal(store.current(parent)?.generation, draft({ a: "4" }).generation);
    });

    it("is rewritten after a power cut left half of it, and the previous one is current until then", () => {
        const old = store.save(draft({ a: "old" }), at(1));
        const next = draft({ a: "next", b: "next" });
        store.save(next, at(2));
        // As if the power had failed before the last file and the link.
        rmSync(path("current"));
        store.save(draft({ a: "old" }), at(1));
        rmSync(path(next.generation, "checkpoint.json"));
        rmSync(path(next.generation, "volumes/credentials/b"));
        writeFileSync(path(next.generation, "volumes/credentials/stray"), "");
        assert.equal(store.current(parent)?.generation, old.generation);
        store.save(next, at(3));
        assert.deepEqual(readdirSync(path("current/volumes/credentials")).sort(), ["a", "b"]);
        assert.equal(readlinkSync(path("current")), next.generation);
    });

    it("counts as missing if it is unreadable", () => {
        store.save(draft({ a: "1" }), at(1));
        writeFileSync(path("current/checkpoint.json"), "{");
        assert.deepEqual(store.all(), []);
    });

    it("is removed with all generations", () => {
        store.save(draft({ a: "1" }), at(1));
        store.forget(parent);
        assert.equal(existsSync(path()), false);
        assert.deepEqual(store.all(), []);
    });

    it("does not use files that changed after the process started", () => {
        assert.throws(
            () => draft({ a: "rotated" }, { since: "2026-01-02T03:05:05Z" }),
            (error: Error) => error instanceof NotCheckpointable && /changed since the pod started/.test(error.message),
        );
    });

    it("names its parent and has none of the parent's labels", () => {
        store.save(draft({ a: "1" }), at(1));
        const { metadata } = JSON.parse(store.manifest(parent));
        assert.equal(metadata.name, "checkpoint-kube-scheduler");
        assert.deepEqual(metadata.labels, { "k8s-app": "checkpoint-kube-scheduler" });
        assert.equal(metadata.annotations["tradewind.dev/checkpoint-of"], parent);
        assert.equal(metadata.annotations["tradewind.dev/checkpoint"], undefined);
    });

    it("may start with the machine only if it needs no API and may run alongside its parent", () => {
        const startsAtBoot = (flags: readonly string[], at: Date) => {
            draft({ a: "1" });
            const pod = listedPod("kube-scheduler");
            const command = (pod.spec.containers[0]!.command as string[]).filter((each) => !/kubeconfig/.test(each));
            Object.assign(pod.spec.containers[0]!, { command: [...command, ...flags] });
            store.save(draftOf(pod, parent, join(root, "pods")), at);
            return existsSync(path("current/starts-at-boot"));
        };
        assert.equal(startsAtBoot([], at(1)), true);
        assert.equal(startsAtBoot(["--kubeconfig=/etc/kubernetes/secrets/kubeconfig"], at(2)), false);
        assert.equal(startsAtBoot(["--leader-elect=false"], at(3)), false);
    });
});
