import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { isNotFound } from "../../simulator/plugins/kubernetes/faults";
import { at } from "../../simulator/plugins/kubernetes/object";
import type { ApiServer } from "./apiserver";
import { failingUp, preview, refresh, up } from "./kubernetes-fixture/run";
import { shared } from "./kubernetes-fixture/shared";
import type { Engine } from "./kubernetes-fixture/stack";

describe("the kubernetes stand-in and its objects", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;

    before(async () => {
        [api, engine] = await shared();
    });

    const program =
        (make: (options: CustomResourceOptions) => void, args: k8s.ProviderArgs = {}) =>
        async () => {
            const provider = new k8s.Provider("cluster", {
                kubeconfig: api.kubeconfig,
                clusterIdentifier: "test",
                enableConfigMapMutable: true,
                ...args,
            });
            make({ provider });
        };

    const live = (apiVersion: string, kind: string, name: string) =>
        api.cluster.get({ apiVersion, kind, metadata: { name, namespace: "default" } });

    // A DaemonSet like those of the control plane; no node here will run it.
    const daemonSet = (name: string, command: string[], options: CustomResourceOptions) =>
        new k8s.apps.v1.DaemonSet(
            name,
            {
                metadata: { name, annotations: { "pulumi.com/skipAwait": "true" } },
                spec: {
                    selector: { matchLabels: { app: name } },
                    template: {
                        metadata: { labels: { app: name } },
                        spec: {
                            containers: [
                                {
                                    name: "main",
                                    image: "none",
                                    command,
                                    env: [],
                                    resources: { requests: { cpu: "0.5" } },
                                },
                            ],
                        },
                    },
                },
            },
            options,
        );

    describe("from creation to deletion", () => {
        let stack: Stack;
        const flags = (...more: string[]) =>
            program((options) => {
                daemonSet("server", ["server", "--a=1", "--b=2", ...more, "--z=26"], options);
                new k8s.core.v1.ConfigMap(
                    "settings",
                    { metadata: { name: "settings" }, data: { level: `${more.length}` } },
                    options,
                );
            });

        before(async () => {
            stack = await engine.stack(flags());
        });

        it("previews what it will create and creates it", async () => {
            assert.deepEqual((await preview(stack, flags())).changes, { create: 4 });
            assert.deepEqual((await up(stack, flags())).changes, { create: 4 });
            const command = at(
                (await live("apps/v1", "DaemonSet", "server")).spec,
                "template",
                "spec",
                "containers",
                "0",
            );
            assert.equal(command, undefined);
        });

        it("has nothing to do right after that", async () => {
            assert.deepEqual((await preview(stack, flags())).changes, {});
            assert.deepEqual((await up(stack, flags())).changes, {});
        });

        it("shows an added flag as just that, whatever follows it", async () => {
            const { text, changes: planned } = await preview(stack, flags("--new"));
            assert.deepEqual(planned, { update: 2 });
            assert.match(text, /\+ \[3\]: "--new"/);
            assert.doesNotMatch(text, /--z=26/);
        });

        it("adds a flag and drops it again", async () => {
            await up(stack, flags("--new"));
            assert.deepEqual(await commandOf("server"), ["server", "--a=1", "--b=2", "--new", "--z=26"]);
            const { text } = await preview(stack, flags());
            assert.match(text, /- \[3\]: "--new"/);
            await up(stack, flags());
            assert.deepEqual(await commandOf("server"), ["server", "--a=1", "--b=2", "--z=26"]);
        });

        it("finds no changes on refresh, or those made by somebody else, which an up reverts", async () => {
            assert.deepEqual(await refresh(stack), {});
            await changeAs("kubectl-edit");
            assert.deepEqual(await refresh(stack), { update: 1 });
            // Only real updates may take over from kubectl.
            await assert.rejects(preview(stack, flags()), /conflict with "kubectl-edit".*: \.data\.level/);
            await up(stack, flags());
            assert.deepEqual((await live("v1", "ConfigMap", "settings")).data, { level: "0" });
        });

        it("does not take fields claimed by another controller", async () => {
            await changeAs("some-controller");
            await stack.refresh();
            const conflict = /Apply failed with 1 conflict: conflict with "some-controller".*: \.data\.level/;
            await assert.rejects(preview(stack, flags()), conflict);
            assert.match(await failingUp(stack, flags()), conflict);
        });

        it("deletes everything and waits for its removal", async () => {
            await stack.destroy();
            await assert.rejects(live("apps/v1", "DaemonSet", "server"), isNotFound);
            await assert.rejects(live("v1", "ConfigMap", "settings"), isNotFound);
        });

        const changeAs = (fieldManager: string) => {
            const options = { query: { fieldManager } };
            return api.cluster.patch(settings, "application/merge-patch+json", { data: { level: "99" } }, options);
        };
        const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "default" } };
        const commandOf = async (name: string) => {
            const { spec } = await live("apps/v1", "DaemonSet", name);
            return (at(spec, "template", "spec") as { containers: [{ command: string[] }] }).containers[0].command;
        };
    });

    it("generates a name if there is none, and keeps it", async () => {
        const anonymous = (text: string) =>
            program((options) => {
                const map = new k8s.core.v1.ConfigMap("some", { data: { text } }, options);
                map.metadata.name.apply((name) => names.add(name));
            });
        const names = new Set<string>();
        const stack = await engine.stack(anonymous("one"));
        await up(stack, anonymous("one"));
        await up(stack, anonymous("two"));
        const [name = ""] = names;
        assert.equal(names.size, 1);
        assert.match(name, /^some-[0-9a-f]{8}$/);
        assert.deepEqual((await live("v1", "ConfigMap", name)).data, { text: "two" });
    });

    it("replaces a changed ConfigMap, old one first, unless it may be changed in place", async () => {
        const fixed = (text: string) =>
            program(
                (options) =>
                    new k8s.core.v1.ConfigMap("fixed", { metadata: { name: "fixed" }, data: { text } }, options),
                { enableConfigMapMutable: false },
            );
        const stack = await engine.stack(fixed("one"));
        await up(stack, fixed("one"));
        const before = (await live("v1", "ConfigMap", "fixed")).metadata?.uid;
        const { text, changes: done } = await up(stack, fixed("two"));
        assert.equal(done.replace ?? done["delete-replaced"], 1, JSON.stringify(done));
        assert.ok(text.indexOf("deleting") < text.indexOf("creating"), "the old one must be deleted first");
        const after = await live("v1", "ConfigMap", "fixed");
        assert.notEqual(after.metadata?.uid, before);
        assert.deepEqual(after.data, { text: "two" });
    });

    it("previews the replacement of an object whose fields are immutable, while it still exists", async () => {
        // Nothing runs its pod. In the background, because nothing waits for its deletion in the foreground.
        const annotations = {
            "pulumi.com/skipAwait": "true",
            "pulumi.com/deletionPropagationPolicy": "background",
        };
        const job = (word: string) =>
            program(
                (options) =>
                    new k8s.batch.v1.Job(
                        "once",
                        {
                            metadata: { name: "once", annotations },
                            spec: {
                                template: {
                                    spec: {
                                        restartPolicy: "Never",
                                        containers: [{ name: "main", image: "none", command: [word] }],
                                    },
                                },
                            },
                        },
                        { ...options, deleteBeforeReplace: true },
                    ),
                { upsertExistingObjects: true },
            );
        const stack = await engine.stack(job("one"));
        await up(stack, job("one"));
        const { changes: planned } = await preview(stack, job("two"));
        assert.equal(planned.replace ?? planned["delete-replaced"], 1, JSON.stringify(planned));
        await up(stack, job("two"));
        const { spec } = await live("batch/v1", "Job", "once");
        assert.match(JSON.stringify(spec), /"command":\["two"\]/);
    });

    it("keeps a Secret's contents out of its output and the state", async () => {
        const login = (password: string) =>
            program(
                (options) =>
                    new k8s.core.v1.Secret("login", { metadata: { name: "login" }, stringData: { password } }, options),
                { enableSecretMutable: true },
            );
        const stack = await engine.stack(login("hunter2"));
        await up(stack, login("hunter2"));
        const { text } = await preview(stack, login("swordfish"));
        const { text: done } = await up(stack, login("swordfish"));
        const state = engine.stateOf(stack);
        assert.ok(state.includes("login"));
        for (const place of [text, done, state]) {
            for (const word of ["hunter2", "swordfish"]) {
                assert.ok(!place.includes(word) && !place.includes(Buffer.from(word).toString("base64")));
            }
        }
        assert.deepEqual((await live("v1", "Secret", "login")).data, {
            password: Buffer.from("swordfish").toString("base64"),
        });
        assert.deepEqual((await preview(stack, login("swordfish"))).changes, {});
    });
});
