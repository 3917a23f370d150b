import assert from "node:assert/strict";
import { type JoinedMachine, parseJoined } from "../../../../agents/nodes/approver/joined";
import { issueToken, revoke } from "../../../../cli/join-token/request";
import type { Call, Caller } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";

const minute = 60_000;
const request = { node: "rack-1", pool: "a", address: "10.0.0.9", seconds: 3600 };
const entry = { pool: "a", addresses: ["10.0.0.8"], token: "abcdef" };
const later = { ...entry, expires: "2999-01-01T00:00:00.000Z" };

/** An API with the record and Secrets, which checks versions as a real one does. */
class Api implements Caller {
    readonly secrets = new Set<string>();
    #data: Record<string, string> | undefined;
    #version = 1;

    /**
     * @param inTurn - are called before the first, second … write of the record, as another program
     * @param clock - milliseconds since 1970
     */
    constructor(
        machines?: Readonly<Record<string, JoinedMachine>>,
        private readonly inTurn: ((api: Api) => void)[] = [],
        private readonly clock: () => number = Date.now,
    ) {
        this.#data = machines && textsOf(machines);
        for (const { token } of Object.values(machines ?? {})) this.secrets.add(token);
    }

    get machines() {
        return parseJoined({ data: this.#data ?? {} });
    }

    write(machines: Readonly<Record<string, JoinedMachine>>): void {
        this.#data = { ...this.#data, ...textsOf(machines) };
        this.#version++;
    }

    async call<T>(path: string, { method = "GET", body }: Call = {}): Promise<T> {
        return this.#answer(path, method, body as never) as T;
    }

    #answer(path: string, method: string, body: Body): unknown {
        const creationTimestamp = new Date(this.clock()).toISOString().replace(/\.\d+/, "");
        if (path.includes("/nodes")) return { items: [] };
        if (path.includes("/secrets")) {
            const id = /bootstrap-token-(\w+)$/.exec(body?.metadata?.name ?? path)![1]!;
            if (path.endsWith("dryRun=All")) return { metadata: { creationTimestamp } };
            if (method === "POST") this.secrets.add(id);
            else if (!this.secrets.delete(id)) throw new ApiError(404, "not found", "secrets");
            return { metadata: { creationTimestamp } };
        }
        if (method !== "GET") this.inTurn.shift()?.(this);
        if (method === "POST") {
            if (this.#data) throw new ApiError(409, "it exists", "configmaps", [], "AlreadyExists");
            this.#data = {};
        }
        if (this.#data === undefined) throw new ApiError(404, "not found", "configmaps");
        if (method === "GET") return { metadata: { resourceVersion: `${this.#version}` }, data: this.#data };
        const { resourceVersion } = body.metadata ?? {};
        if (resourceVersion && resourceVersion !== `${this.#version}`) throw new ApiError(409, "it has changed");
        const all = Object.entries({ ...this.#data, ...body.data });
        this.#data = Object.fromEntries(all.flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
        this.#version++;
        return {};
    }
}

interface Body {
    readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
    readonly data?: Readonly<Record<string, string | null>>;
}

function textsOf(machines: Readonly<Record<string, JoinedMachine>>) {
    return Object.fromEntries(Object.entries(machines).map(([name, each]) => [name, JSON.stringify(each)]));
}

/** As node-approver records that a machine used its token. */
const joins = (name: string) => (api: Api) =>
    api.write({ [name]: { ...api.machines[name]!, key: "k", joined: "2030-01-01T00:00:00Z" } });

describe("the record of tokens", () => {
    it("keeps a machine that joins while its token is revoked or replaced", async () => {
        for (const act of [(api: Api) => revoke(api, "rack-1"), (api: Api) => issueToken(api, request, {})]) {
            const api = new Api({ "rack-1": later }, [joins("rack-1")]);
            await assert.rejects(act(api), /^Error: rack-1 (has joined already|joined at)/);
            assert.equal(api.machines["rack-1"]?.key, "k");
        }
    });

    it("keeps a machine that joins just before its token expires, while another token is issued", async () => {
        const soon = { ...entry, expires: new Date(Date.now() - 1).toISOString() };
        const api = new Api({ "rack-2": soon }, [joins("rack-2")]);
        await issueToken(api, request, {});
        assert.equal(api.machines["rack-2"]?.key, "k");
        assert.ok(api.machines["rack-1"]);
    });

    it("gets every machine of several that are issued tokens at once, the first ones too", async () => {
        const other = (token: string) => (api: Api) => api.write({ [`rack-${token}`]: { ...later, token } });
        const records: (Record<string, JoinedMachine> | undefined)[] = [{}, { "rack-0": later }, undefined];
        for (const machines of records) {
            const inTurn = machines ? [other("a"), other("b")] : [() => undefined, other("a")];
            const api = new Api(machines, inTurn);
            const { token } = await issueToken(api, request, {});
            assert.equal(api.machines["rack-1"]?.token, token.split(".")[0]);
            assert.ok(api.machines["rack-a"]);
            assert.ok(api.secrets.has(token.split(".")[0]!));
        }
    });

    it("records all addresses of the machine, and refuses if one of them is another's", async () => {
        const both = { ...request, publicAddress: "203.0.113.9" };
        const api = new Api({});
        await issueToken(api, both, {});
        assert.deepEqual(api.machines["rack-1"]?.addresses, ["10.0.0.9", "203.0.113.9"]);
        const taken = new Api({ "rack-2": { ...later, addresses: ["203.0.113.9"] } });
        await assert.rejects(issueToken(taken, both, {}), /203\.0\.113\.9 is an address of rack-2/);
    });

    it("refuses an address that another machine gets meanwhile", async () => {
        const api = new Api({}, [(each) => each.write({ "rack-2": { ...later, addresses: [request.address] } })]);
        await assert.rejects(issueToken(api, request, {}), /10\.0\.0\.9 is an address of rack-2/);
    });

    it("forgets machines that never joined, and deletes useless tokens", async () => {
        const api = new Api({
            "rack-2": { ...entry, expires: "2020-01-01T00:00:00Z" },
            "rack-3": { ...later, token: "useful", addresses: [] },
            "rack-4": { ...later, token: "useder", addresses: [], key: "k", joined: "2030-01-01T00:00:00Z" },
        });
        const { token } = await issueToken(api, request, {});
        assert.deepEqual(Object.keys(api.machines).sort(), ["rack-1", "rack-3", "rack-4"]);
        assert.deepEqual([...api.secrets].sort(), [token.split(".")[0]!, "useful"].sort());
    });

    it("gets no token by a clock that differs from the cluster's, and loses none", async () => {
        const now = Date.now();
        for (const wrong of [now - 90 * minute, now + 90 * minute]) {
            const others = { "rack-2": { ...entry, expires: new Date(now + 30 * minute).toISOString() } };
            const api = new Api(others, [], () => now);
            await assert.rejects(issueToken(api, request, {}, wrong), /^Error: the clock of this machine is 90 min/);
            assert.deepEqual(Object.keys(api.machines), ["rack-2"]);
            assert.deepEqual([...api.secrets], ["abcdef"]);
        }
    });
});
