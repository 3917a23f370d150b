import assert from "node:assert/strict";
import {
    existsSync,
    mkdirSync,
    readdirSync,
    readlinkSync,
    rmSync,
    symlinkSync,
    truncateSync,
    writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { draftOf } from "../../../../agents/checkpointer/draft";
import { damageOf } from "../../../../agents/checkpointer/seal";
import { Store } from "../../../../agents/checkpointer/store";
import { damages } from "../../damages";
import { layOut, listedPod, scratch } from "./example";

const parent = "kube-system/kube-scheduler";
const secret = { plugin: "kubernetes.io~secret", name: "credentials" };

const files = ["checkpoint.json", "pod.json", "sha256sums", "starts-at-boot", "volumes/credentials/tls.key"];

describe("a damaged checkpoint", () => {
    let root: string;
    let store: Store;
    const draft = (text: string) => {
        rmSync(join(root, "pods"), { recursive: true, force: true });
        layOut(join(root, "pods"), secret, { "tls.key": `a key: ${text}`, "deep/er": text });
        const pod = listedPod("kube-scheduler");
        // Without an API, so that it starts at boot.
        const command = (pod.spec.containers[0]!.command as string[]).filter((each) => !/kubeconfig/.test(each));
        Object.assign(pod.spec.containers[0]!, { command });
        return draftOf(pod, parent, join(root, "pods"));
    };
    const path = (...names: string[]) => join(root, "checkpoints", parent, ...names);
    const save = (text: string, second: number) => store.save(draft(text), new Date(second * 1000)).generation;
    const current = () => store.current(parent)?.generation;

    beforeEach(() => {
        root = scratch();
        store = new Store(join(root, "checkpoints"));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("is found whole as it was saved", () => {
        save("1", 1);
        store.verify();
        assert.deepEqual(store.damage(parent), []);
        assert.deepEqual(store.damaged(), []);
    });

    for (const file of files) {
        for (const [what, damage] of Object.entries(damages)) {
            // An empty file can't become any shorter.
            if (file === "starts-at-boot" && ["emptied", "cut in half"].includes(what)) continue;

            it(`gives way to the previous one: ${file} is ${what}`, () => {
                const before = save("1", 1);
                const last = save("2", 2);
                damage(path(last, file));
                store.verify();
                assert.equal(current(), before);
                assert.equal(readlinkSync(path("current")), before);
                assert.deepEqual(
                    store.damage(parent).map((each) => [each.generation, each.file]),
                    [[last, file]],
                );
                assert.equal(store.isWhole(parent, last), false);
            });

            it(`is not current if there is no previous one: ${file} is ${what}`, () => {
                const only = save("1", 1);
                damage(path(only, file));
                store.verify();
                assert.equal(current(), undefined);
                assert.equal(existsSync(path("current")), false);
                assert.deepEqual(store.all(), []);
                assert.deepEqual(store.damaged(), [parent]);
            });

            it(`is rewritten by the same content, and nothing damaged remains: ${file} is ${what}`, () => {
                const before = save("1", 1);
                const last = save("2", 2);
                damage(path(before, file));
                damage(path(last, file));
                assert.equal(save("2", 3), last);
                assert.deepEqual(damageOf(path(), last), []);
                assert.equal(current(), last);
                assert.deepEqual(readdirSync(path()).sort(), [last, "current"].sort());
                assert.deepEqual(store.damage(parent), []);
            });
        }
    }

    const links: Readonly<Record<string, (link: string) => void>> = {
        missing: (link) => rmSync(link),
        dangling: (link) => {
            rmSync(link);
            symlinkSync("nothing", link);
        },
        "an empty file": (link) => {
            rmSync(link);
            writeFileSync(link, "");
        },
        "a directory": (link) => {
            rmSync(link);
            mkdirSync(link);
        },
    };
    for (const [what, damage] of Object.entries(links)) {
        it(`has a link again if \`current\` is ${what}`, () => {
            save("1", 1);
            const last = save("2", 2);
            damage(path("current"));
            store.verify();
            assert.equal(readlinkSync(path("current")), last);
            damage(path("current"));
            const next = save("3", 3);
            assert.equal(current(), next);
        });
    }

    it("stays while a copy runs from it, and makes way once it does not", () => {
        const before = save("1", 1);
        const last = save("2", 2);
        truncateSync(path(before, "pod.json"), 0);
        store.save(draft("2"), new Date(3000), before);
        assert.deepEqual(readdirSync(path()).sort(), [before, last, "current"].sort());
        save("2", 4);
        assert.deepEqual(readdirSync(path()).sort(), [last, "current"].sort());
    });
});
