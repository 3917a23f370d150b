import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { requireLocal } from "../../../local/destroy";
import { lostCreates } from "../../../local/pending";
import { accountResources } from "../../../local/stack";
import { clusterState } from "../../../local/state";
import { makeResumable, resumeAfterKill } from "../../../local/up";
import { setVariables } from "../../variables";

const urn = (type: string, name: string) => `urn:pulumi:lab::tradewind::${type}::${name}`;
const pending = (operation: string, type: string, name: string) => ({
    type: operation,
    resource: { type, urn: urn(type, name) },
});

describe("operations that a killed run left pending", () => {
    it("are only lost if something in an account was being created", () => {
        const [droplet, loadBalancer] = [
            "digitalocean:index/droplet:Droplet",
            "aws:lb/loadBalancer:LoadBalancer",
        ] as const;
        const all = [
            pending("creating", "command:local:Command", "lab-controller-0"),
            pending("creating", "kubernetes:apps/v1:Deployment", "coredns"),
            pending("creating", "tls:index/privateKey:PrivateKey", "ca"),
            pending("creating", droplet, "lab-controller-0"),
            pending("updating", droplet, "lab-controller-1"),
            pending("deleting", droplet, "lab-controller-2"),
            pending("creating", loadBalancer, "lab"),
            pending("creating", "vultr:index/instance:Instance", "of another cloud"),
        ];
        const names = lostCreates(all).map(({ resource }) => resource.urn.split("::").at(-1));
        assert.deepEqual(names, ["lab-controller-0", "lab", "of another cloud"]);
    });
});

describe("a stack with something in an account", () => {
    let root: string;
    let reset = () => {};
    const state = () => clusterState("lab");
    const file = () => join(state().backend, ".pulumi/stacks/tradewind/lab.json");
    const write = (cloud: string | undefined, latest: object | string) => {
        mkdirSync(join(file(), ".."), { recursive: true });
        writeFileSync(file(), typeof latest === "string" ? latest : JSON.stringify({ checkpoint: { latest } }));
        if (cloud) writeFileSync(state().config, stringify({ config: { "tradewind:cloud": cloud } }));
    };
    const droplet = "digitalocean:index/droplet:Droplet";
    const created = { type: droplet, urn: urn(droplet, "lab-controller-0"), id: "17" };
    const creating = pending("creating", droplet, "lab-controller-1");

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-pending-"));
        reset = setVariables({ TRADEWIND_STATE: root });
    });
    afterEach(() => {
        reset();
        rmSync(root, { recursive: true });
    });

    it("is not changed while a creation is unfinished, which says how to find what exists", async () => {
        write("digitalocean", { pending_operations: [creating] });
        const before = readFileSync(file(), "utf8");
        for (const change of [makeResumable(state(), () => {}), resumeAfterKill(state(), () => {}, "change")]) {
            await assert.rejects(change, (error: Error) => {
                assert.match(error.message, /^ {2}Droplet lab-controller-1$/m);
                assert.match(error.message, /^ {2}doctl compute droplet list --tag-name lab$/m);
                assert.match(error.message, /^ {2}npm run pulumi -- --name lab refresh --clear-pending-creates$/m);
                return true;
            });
        }
        assert.equal(readFileSync(file(), "utf8"), before);
    });

    it("keeps unfinished creations when it is destroyed or refreshed", async () => {
        write("digitalocean", { pending_operations: [creating, pending("updating", droplet, "lab-controller-0")] });
        const before = readFileSync(file(), "utf8");
        const said: string[] = [];
        await makeResumable(state(), (line) => said.push(line), "destroy");
        await resumeAfterKill(state(), (line) => said.push(line), "refresh");
        assert.equal(readFileSync(file(), "utf8"), before);
        assert.match(said.join("\n"), /Droplet lab-controller-1/);
    });

    it("is not destroyed by npm start, which would remove the state", () => {
        const refused =
            /--name must be a local cluster, .* \(destroy that with npm run pulumi -- --name lab destroy\) \(got lab\)/;
        write("digitalocean", {});
        assert.throws(() => requireLocal(state()), refused);
        rmSync(state().config);
        write(undefined, { resources: [created] });
        assert.throws(() => requireLocal(state()), refused);
        write(undefined, { pending_operations: [creating] });
        assert.throws(() => requireLocal(state()), refused);
        assert.deepEqual(accountResources(state()), ["Droplet lab-controller-1 (its creation was interrupted)"]);
        write(undefined, "cut");
        assert.throws(() => requireLocal(state()));
    });

    it("is refused with the backups to use if its state and Pulumi's backup are damaged", async () => {
        write("digitalocean", "cut");
        for (const change of [makeResumable(state(), () => {}), resumeAfterKill(state(), () => {}, "change")]) {
            await assert.rejects(change, {
                name: "Error",
                message:
                    /lab\.json, the state of the stack, is damaged: replace it with the newest one in .*backups\/tradewind\/lab, /,
            });
        }
    });

    it("is repaired before anything is read from it", async () => {
        write("digitalocean", "cut");
        writeFileSync(`${file()}.bak`, JSON.stringify({ checkpoint: { latest: { resources: [created] } } }));
        await resumeAfterKill(state(), () => {}, "change");
        assert.deepEqual(accountResources(state()), ["Droplet lab-controller-0 (17)"]);
    });

    it("is destroyed by npm start if it is local, even with a broken state", () => {
        const machine = { type: "command:local:Command", urn: urn("command:local:Command", "m"), id: "1" };
        write("local", { resources: [machine, { ...created, external: true }] });
        requireLocal(state());
        write("local", "cut");
        requireLocal(state());
    });
});
