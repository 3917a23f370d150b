import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { loadBalancerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";
import { underProber } from "../under-prober";

const controller = `${shared.name}-controller-0`;
const directory = "/var/log/kubernetes/audit";
const marker = "a-secret-that-no-log-has";
const policy = "/etc/kubernetes/files/own.yaml";
const good = `apiVersion: audit.k8s.io/v1
kind: Policy
rules: [{ level: Metadata }]
`;

interface Entry {
    readonly level: string;
    readonly verb: string;
    readonly requestURI: string;
    readonly objectRef?: { readonly resource: string; readonly name?: string };
    readonly requestObject?: object;
}

const isOurs = (lease = "") => ["os-reboot", "node-approver"].includes(lease);

/** Entries of all pods: after a power cut, a copy serves until the pod takes over. Without lines that the cut tore. */
async function entries(): Promise<Entry[]> {
    const text = await shared.exec(controller, `cat ${directory}/*.log`);
    return text.split("\n").flatMap((line) => {
        try {
            return [JSON.parse(line)];
        } catch {
            return [];
        }
    });
}

const set = (path: string, value: string) =>
    shared.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
const remove = (path: string) => shared.pulumi("config", "rm", "--path", `tradewind:${path}`);
const up = () => shared.pulumi("up", "--yes", "--skip-preview");
const own = (content: string) => set(`controlPlaneFiles.kubeApiserver.files["own.yaml"]`, content);

describe("the audit log of a cluster", function () {
    this.timeout(900_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });
    after(async () => {
        for (const path of ["controlPlaneFiles", "components.kubeApiserver", "rolloutTimeout"]) {
            await remove(path).catch(() => {});
        }
        await up();
        await shared.kubectl("delete", "--ignore-not-found", "secret/hidden", "clusterrole/seen");
    });

    it("has requests, with bodies for permissions only, in files that others cannot read", async () => {
        await shared.kubectl("create", "secret", "generic", "hidden", `--from-literal=word=${marker}`);
        await shared.kubectl("create", "clusterrole", "seen", "--verb=get", "--resource=pods");
        const [all, secret, role] = await eventually("both entries", async () => {
            const found = await entries();
            const of = (name: string) =>
                found.find(({ objectRef, verb }) => objectRef?.name === name && verb === "create");
            // kubectl names new objects in the body only.
            const created = found.find(({ objectRef, verb }) => objectRef?.resource === "secrets" && verb === "create");
            const roles = found.filter(({ objectRef }) => objectRef?.resource === "clusterroles");
            const written =
                of("seen") ?? roles.find(({ requestObject }) => JSON.stringify(requestObject)?.includes("seen"));
            assert.ok(created && written);
            return [found, created, written] as const;
        });
        assert.equal(secret.level, "Metadata");
        assert.equal(role.level, "Request");
        assert.ok(role.requestObject);
        const text = JSON.stringify(all);
        assert.ok(!text.includes(marker) && !text.includes(Buffer.from(marker).toString("base64")));
        const noise = all.filter(
            ({ requestURI, verb, objectRef }) =>
                /^\/(livez|readyz|healthz|openapi)/.test(requestURI) ||
                objectRef?.resource === "events" ||
                (objectRef?.resource === "leases" && !isOurs(objectRef.name) && verb !== "create"),
        );
        assert.deepEqual(noise, []);
        const modes = await shared.exec(controller, `stat -c '%a %U %g' ${directory}; stat -c '%a' ${directory}/*`);
        const [ofDirectory, ...ofFiles] = modes.trim().split("\n");
        assert.match(ofDirectory!, /^770 root 60801$/);
        assert.deepEqual([...new Set(ofFiles)], ["600"]);
        console.log(`      ${all.length} entries, ${Math.round(text.length / 1024)} KiB`);
    });

    it("has the changes of Tradewind's Leases, and of no others", async () => {
        const change = ["label", "--overwrite", "--namespace=kube-system"];
        const all = (await shared.kubectl("get", "leases", "-n", "kube-system", "-o", "name")).split(/\s+/);
        const existing = ["node-approver", "os-reboot", "kube-scheduler"].filter((name) =>
            all.includes(`lease.coordination.k8s.io/${name}`),
        );
        for (const name of existing) await shared.kubectl(...change, `lease/${name}`, `by=${process.pid}`);
        const ours = existing.filter(isOurs);
        assert.ok(ours.length > 0, `no Lease of Tradewind's among ${all}`);
        const changes = await eventually("entries of changed Leases", async () => {
            const found = (await entries()).filter(
                ({ objectRef, verb }) => objectRef?.resource === "leases" && ["patch", "update"].includes(verb),
            );
            for (const name of ours)
                assert.ok(
                    found.some(({ objectRef }) => objectRef?.name === name),
                    name,
                );
            return found;
        });
        assert.deepEqual(
            changes.filter(({ objectRef }) => !isOurs(objectRef?.name)),
            [],
        );
    });

    it("follows another policy", async () => {
        await own(good);
        await set("components.kubeApiserver.audit-policy-file", policy);
        await up();
    });

    itLong("keeps its policy, and the API serves, when another file is bad", async () => {
        await underProber(
            shared,
            "a bad audit policy, and its repair",
            () => loadBalancerTargets(shared),
            async () => {
                await set("rolloutTimeout", "30s");
                await own("rules: nonsense");
                await assert.rejects(up(), /container "kube-apiserver": .*own\.yaml/s);
                await own(good);
                await remove("rolloutTimeout");
                await up();
            },
        );
        await shared.pulumi("preview", "--expect-no-changes");
    });

    it("is written by the copy that runs after a power cut, with the same file", async () => {
        const saved = `/etc/kubernetes/checkpoints/kube-system/kube-apiserver/current/volumes/files/own.yaml`;
        await eventually(
            "a checkpoint with the file",
            async () => assert.equal(await shared.exec(controller, `cat ${saved}`), good),
            120,
        );
        assert.match(await shared.exec(controller, `stat -c '%a %u' ${saved}`), /^600 60801/);
        await powerCut(shared.name, controller);
        await eventually("the API", () => shared.kubectl("get", "--raw", "/readyz", "--request-timeout=2s"), 120);
        const copy = `${directory}/checkpoint-kube-apiserver-${controller}.log`;
        await eventually("entries of the copy", () => shared.exec(controller, `[ -s ${copy} ]`), 120);
        await eventually(
            "kube-apiserver itself",
            () => shared.kubectl("-n", "kube-system", "rollout", "status", "ds/kube-apiserver", "--timeout=10s"),
            180,
        );
    });
});
