import assert from "node:assert/strict";
import { type GuardReport, guardRecord, type UpgradeRecord } from "../../../../agents/upgrade-guard/record";
import type { Call, Caller } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { resolveCluster } from "../../../../cluster/resolve";
import { changeRecord, lastUpgrade } from "../../../../components/upgrade/guard-record";
import { beginGuarded, passGuarded, requireKept, soak } from "../../../../components/upgrade/soak";

const { upgradeKey, reportKey } = guardRecord;
const template = { spec: { containers: [] } };
const before = { "kube-apiserver": template, "kube-controller-manager": template, "kube-scheduler": template };
const upgrade = { id: "1", from: "1.35.4", to: "1.36.3", began: "2026-11-29T12:00:00Z", before, soakSeconds: 60 };
const reported = { id: "1", since: "2026-11-29T12:00:31Z" };
const breach = { what: "p99 of writes", before: "12 ms", after: "480 ms", limit: "60 ms", at: "2026-11-29T12:00:03Z" };
const takenBack =
    "the upgrade guard took Kubernetes 1.36.3 back to 1.35.4: p99 of writes became 480 ms (before: 12 ms, limit: 60 ms) at 2026-11-29T12:00:03Z";
const of = (kubernetesVersion: string, enabled = true) =>
    resolveCluster({ name: "c", kubernetesVersion, upgradeGuard: { enabled } });
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

/** An API with the guard's ConfigMap. @param onRead - called before each read, with their number */
class FakeApi implements Caller {
    data: Record<string, string> = {};
    onRead: (count: number) => void = () => undefined;
    #version = 1;
    #reads = 0;

    constructor(record?: Partial<UpgradeRecord>, report?: Partial<GuardReport>) {
        if (record) this.data[upgradeKey] = JSON.stringify({ ...upgrade, ...record });
        if (report) this.report(report);
    }

    report(report: Partial<GuardReport>): void {
        this.data[reportKey] = JSON.stringify({ ...reported, ...report });
        this.#version++;
    }

    get record(): UpgradeRecord {
        return JSON.parse(this.data[upgradeKey]!);
    }

    async call<T>(_path: string, { method, body }: Call = {}): Promise<T> {
        if (method === "PATCH") {
            const { data, metadata } = body as { data: object; metadata: { resourceVersion?: string } };
            const { resourceVersion = `${this.#version}` } = metadata;
            if (resourceVersion !== `${this.#version}`) throw new ApiError(409, "the object has been modified");
            Object.assign(this.data, data);
            this.#version++;
            return {} as T;
        }
        this.onRead(++this.#reads);
        if (Object.keys(this.data).length === 0) throw new ApiError(404, "not found");
        return { metadata: { resourceVersion: `${this.#version}` }, data: { ...this.data } } as T;
    }
}

describe("the record of an upgrade for its guard", () => {
    const begin = (api: FakeApi, desired: string, from: string, { isOnTheWay = false, enabled = true } = {}) =>
        beginGuarded(api, of(desired, enabled), { from, before, isOnTheWay });

    it("has the versions, the templates before and the soak", async () => {
        const api = new FakeApi();
        await begin(api, "1.36.3", "1.35.4");
        const { id, began, ...others } = api.record;
        assert.deepEqual(others, { from: "1.35.4", to: "1.36.3", before, soakSeconds: 60 });
        assert.match(id, /^1\.36\.3-\w+$/);
        assert.ok(Math.abs(Date.parse(began) - Date.now()) < 10_000);
        await begin(api, "1.37.1", "1.36.3");
        assert.deepEqual([api.record.from, api.record.to], ["1.36.3", "1.37.1"]);
    });

    it("is not written on the way back, without an upgrade, and if the guard is off", async () => {
        for (const [desired, from, enabled] of [
            ["1.35.4", "1.36.3", true],
            ["1.36.3", "1.36.3", true],
            ["1.36.3", "1.35.4", false],
        ] as const) {
            const api = new FakeApi();
            await begin(api, desired, from, { enabled });
            assert.deepEqual(api.data, {}, `${from} to ${desired}`);
        }
    });

    it("stays as it was when an interrupted up goes on, because its templates are the ones to go back to", async () => {
        for (const going of [{ from: "1.36.3" }, { from: "1.35.4", isOnTheWay: true }]) {
            const api = new FakeApi({}, { state: "guarding" });
            await begin(api, "1.36.3", going.from, going);
            assert.deepEqual(api.record, upgrade);
        }
    });

    it("is replaced if the interrupted up had not changed a program, or the guard took the upgrade back", async () => {
        for (const state of ["guarding", "rolled-back"] as const) {
            const api = new FakeApi({}, { state });
            await begin(api, "1.36.3", "1.35.4");
            assert.notEqual(api.record.id, "1");
            assert.equal((await lastUpgrade(api))!.report, undefined);
        }
    });

    it("ends the guarding of an upgrade that is given up for another version, and changes nothing else", async () => {
        for (const [desired, from, enabled] of [
            ["1.35.4", "1.36.3", true],
            ["1.35.4", "1.35.4", true],
            ["1.36.3", "1.36.3", false],
        ] as const) {
            const api = new FakeApi({}, { state: "guarding" });
            await begin(api, desired, from, { enabled });
            assert.deepEqual(api.record, { ...upgrade, isAccepted: true });
        }
        for (const state of ["passed", "undecided", "rolled-back", "rolling-back"] as const) {
            const api = new FakeApi({}, { state });
            await begin(api, "1.35.4", "1.35.4");
            assert.deepEqual(api.record, upgrade, state);
        }
    });

    it("has the templates on the way, in order, each once", async () => {
        const rollout = (name: string, image: string) => ({ [name]: { spec: { containers: [{ name, image }] } } });
        const [one, other] = [rollout("kube-apiserver", "a"), rollout("kube-scheduler", "b")];
        const api = new FakeApi({}, { state: "guarding" });
        for (const each of [one, other, other]) await passGuarded(api, of("1.36.3"), each);
        assert.deepEqual(api.record, { ...upgrade, way: [one, other] });
        for (const [none, version] of [
            [new FakeApi(), "1.36.3"],
            [new FakeApi({}, { state: "guarding" }), "1.37.1"],
            [new FakeApi({ isAccepted: true }), "1.36.3"],
        ] as const) {
            const before = { ...none.data };
            await passGuarded(none, of(version), one);
            assert.deepEqual(none.data, before);
        }
    });

    it("can be changed while the guard writes its report", async () => {
        const api = new FakeApi({}, { state: "guarding" });
        let writes = 0;
        const record = await changeRecord(api, () => {
            if (writes++ < 2) api.report({ state: "passed" });
            return { soakSeconds: 90 };
        });
        assert.equal(record!.soakSeconds, 90);
        assert.deepEqual([api.record, writes], [{ ...upgrade, soakSeconds: 90 }, 3]);
        assert.equal((await lastUpgrade(api))!.report!.state, "passed");
        assert.equal(await changeRecord(new FakeApi(), () => ({})), undefined);
    });

    it("is as good as none if another program has overwritten it", async () => {
        for (const text of ["", "no JSON", "null", "[]", '{"id": 1}']) {
            const api = new FakeApi();
            api.data[upgradeKey] = text;
            assert.equal(await lastUpgrade(api), undefined, text);
        }
    });
});

describe("the next step of an upgrade", () => {
    it("does not begin once the guard takes the upgrade back", async () => {
        const api = new FakeApi({}, { state: "guarding" });
        await requireKept(api, of("1.36.3"));
        api.report({ state: "rolling-back" });
        await assert.rejects(
            requireKept(api, of("1.36.3")),
            /^Error: the upgrade guard is taking Kubernetes 1\.36\.3 back/,
        );
        api.report({ state: "rolled-back", breach });
        const next =
            "; later steps were not started; set kubernetesVersion to 1.35.4, or run `pulumi up` with upgradeOverrides: [guard] to try again";
        await assert.rejects(requireKept(api, of("1.36.3")), { message: `${takenBack}${next}` });
    });

    it("begins after another upgrade was taken back, without a guard, and while the API does not respond", async () => {
        const api = new FakeApi({}, { state: "rolled-back", breach });
        await requireKept(api, of("1.35.4"));
        await requireKept(api, of("1.36.3", false));
        await requireKept({ call: () => Promise.reject(new Error("no")) }, of("1.36.3"));
    });
});

describe("the soak of a control plane", () => {
    const wait = async (api: FakeApi, cluster = of("1.36.3")) => {
        const [said, warned]: string[][] = [[], []];
        const say = async (text: string) => void said!.push(text.replace(/\d+ s more/, "some seconds more"));
        await soak({ api, cluster, say, warn: async (text) => void warned!.push(text) });
        return { said, warned };
    };
    const watches = "the upgrade guard watches Kubernetes 1.36.3 for some seconds more, before kubelets change";

    it("begins when everything is rolled out, and ends with the guard's report", async () => {
        const api = new FakeApi({}, { state: "guarding" });
        // Its first read fails; then its second, that of the change, and one more.
        api.onRead = (count) => {
            if (count === 1) throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
            if (count > 4) api.report({ state: "passed" });
        };
        const { said, warned } = await wait(api);
        assert.ok(Math.abs(Date.parse(api.record.rolledOut!) - Date.now()) < 10_000);
        assert.deepEqual(said, [watches, "Kubernetes 1.36.3: the soak of 60 s ended, and nothing got worse"]);
        assert.deepEqual(warned, []);
    });

    it("goes on for the remaining time after an interruption, and says why the guard cannot decide", async () => {
        const rolledOut = secondsAgo(50);
        const api = new FakeApi({ rolledOut }, { state: "guarding", undecided: "no metrics for 40 s" });
        const said: string[] = [];
        api.onRead = (count) => count > 2 && api.report({ state: "undecided", undecided: "no metrics for 40 s" });
        const warned: string[] = [];
        const cluster = of("1.36.3");
        await soak({
            ...{ api, cluster },
            say: async (text) => void said.push(text),
            warn: async (text) => void warned.push(text),
        });
        assert.equal(api.record.rolledOut, rolledOut);
        assert.match(
            said.join(),
            /for (10|9|8) s more, before kubelets change \(it cannot decide at the moment: no metrics for 40 s\)$/,
        );
        assert.deepEqual(warned, ["the upgrade guard could not judge Kubernetes 1.36.3: no metrics for 40 s"]);
    });

    it("ends early for an operator, or takes longer", async () => {
        const api = new FakeApi({ rolledOut: secondsAgo(100), soakSeconds: 900 }, { state: "guarding" });
        api.onRead = (count) => {
            if (count > 2) api.data[upgradeKey] = JSON.stringify({ ...api.record, isAccepted: true });
        };
        assert.deepEqual((await wait(api)).said, [watches, "Kubernetes 1.36.3: the soak was ended early"]);
    });

    it("fails at once if the guard takes the upgrade back, before or during it, and if the API was down meanwhile", async () => {
        const api = new FakeApi({}, { state: "guarding" });
        api.onRead = (count) => {
            if (count === 4) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
            if (count > 4) api.report({ state: "rolled-back", breach });
        };
        await assert.rejects(wait(api), /^Error: the upgrade guard took Kubernetes 1\.36\.3 back to 1\.35\.4: p99/);
        await assert.rejects(wait(api), /^Error: the upgrade guard took/);
    });

    it("does not wait for a guard that does not report", async () => {
        for (const [rolledOut, report] of [
            [secondsAgo(20), undefined],
            [secondsAgo(100), { state: "guarding" }],
        ] as const) {
            const { warned } = await wait(new FakeApi({ rolledOut }, report));
            assert.deepEqual(warned, [
                "no upgrade guard watches Kubernetes 1.36.3, so the upgrade goes on: see `kubectl -n kube-system get pods -l k8s-app=upgrade-guard`",
            ]);
        }
    });

    it("does not wait without an upgrade to this version, after its end, and without a guard", async () => {
        const silent = { said: [], warned: [] };
        assert.deepEqual(await wait(new FakeApi()), silent);
        assert.deepEqual(await wait(new FakeApi({}, { state: "guarding" }), of("1.37.1")), silent);
        assert.deepEqual(await wait(new FakeApi({}, { state: "passed" })), silent);
        assert.deepEqual(await wait(new FakeApi({}, { state: "guarding" }), of("1.36.3", false)), silent);
    });
});
