import assert from "node:assert/strict";
import { end } from "../../../../cli/verify-cloud/end";
import { Run } from "../../../../cli/verify-cloud/run";
import type { VerifyStack } from "../../../../cli/verify-cloud/stack";
import { verify } from "../../../../cli/verify-cloud/verify";
import { Interrupted } from "../../../../command-line/interrupt";

const parts = ["up", "ready", "smoke", "set", "replace", "destroy", "inState", "inAccount", "forget"] as const;
type Part = (typeof parts)[number];

/** A cluster that costs money from `up` until `destroy`. */
class FakeStack {
    readonly calls: Part[] = [];
    readonly name = "verify";
    readonly cloud = "digitalocean";
    readonly config = {};
    isPaid = false;
    hasState = true;

    constructor(private readonly fails: (part: Part, time: number) => Error | undefined = () => undefined) {}

    #called(part: Part): void {
        this.calls.push(part);
        const error = this.fails(part, this.calls.filter((each) => each === part).length);
        if (error) throw error;
    }

    async up() {
        this.isPaid = true;
        this.#called("up");
    }
    set() {
        this.#called("set");
    }
    async destroy() {
        this.#called("destroy");
        this.isPaid = false;
    }
    inState() {
        this.#called("inState");
        return this.isPaid ? ["Droplet verify-controller-0 (1)"] : [];
    }
    async inAccount() {
        this.#called("inAccount");
        return this.isPaid ? ["droplet verify-controller-0 (1)"] : [];
    }
    async forget() {
        this.#called("forget");
        assert.equal(this.isPaid, false, "the state of a paid cluster was removed");
        this.hasState = false;
    }

    readonly parts = {
        ready: async () => {
            this.#called("ready");
            return "";
        },
        // Not in a step, as any code between two steps.
        smoke: async () => this.#called("smoke"),
        replace: async () => {
            this.#called("replace");
            return "";
        },
    };
}

const quiet = () => new Run(() => undefined);
const trial = (fake: FakeStack) => verify(fake as unknown as VerifyStack, "$1", fake.parts, quiet());

describe("tradewind verify-cloud, whatever fails", () => {
    const { log } = console;
    beforeEach(() => {
        console.log = () => undefined;
    });
    afterEach(() => {
        console.log = log;
    });

    it("removes the state only after the destroy and an empty search of the account", async () => {
        const fake = new FakeStack();
        const { passed, left } = await trial(fake);
        assert.deepEqual([passed, left, fake.hasState], [true, [], false]);
        assert.deepEqual(fake.calls.slice(-3), ["destroy", "inAccount", "forget"]);
    });

    for (const error of [new Error("a hiccup"), new Interrupted()]) {
        for (const part of parts) {
            for (const time of [1, 2]) {
                it(`destroys after ${error instanceof Interrupted ? "an interrupt" : "a failure"} of ${part} (call ${time}), and keeps the state unless nothing is left`, async () => {
                    const fake = new FakeStack((each, at) => (each === part && at === time ? error : undefined));
                    const { passed, left, howToDestroy = [] } = await trial(fake);
                    assert.ok(fake.calls.includes("destroy"));
                    if (!fake.hasState) assert.equal(fake.isPaid, false);
                    assert.equal(fake.hasState, left.length > 0);
                    const hasFailed = fake.calls.filter((each) => each === part).length >= time;
                    assert.equal(passed, !hasFailed || part === "inState");
                    if (left.length > 0) {
                        assert.ok(
                            howToDestroy
                                .join("\n")
                                .includes("verify-cloud --cloud digitalocean --name verify --destroy"),
                        );
                    }
                });
            }
        }
    }

    it("keeps the state if everything fails from some call on", async () => {
        for (let from = 2; from < 12; from++) {
            let calls = 0;
            const fake = new FakeStack(() => (++calls >= from ? new Error("the network is down") : undefined));
            const { left } = await trial(fake);
            assert.equal(fake.hasState, left.length > 0);
            if (fake.isPaid) assert.equal(fake.hasState, true);
        }
    });

    it("keeps the state of a stack whose destroy says that it succeeded while the account still has something", async () => {
        const fake = new FakeStack();
        fake.destroy = async () => undefined;
        await fake.up();
        const left = await end(fake as unknown as VerifyStack, quiet(), { deletion: 0, every: 0 });
        assert.equal(fake.hasState, true);
        assert.deepEqual(left, ["Droplet verify-controller-0 (1)", "droplet verify-controller-0 (1)"]);
    });

    it("destroys after Ctrl-C between two steps", async () => {
        const fake = new FakeStack();
        const smoke = async () => {
            process.emit("SIGINT");
        };
        const { steps } = await verify(fake as unknown as VerifyStack, "", { ...fake.parts, smoke }, quiet());
        assert.deepEqual(
            steps.map(({ name }) => name),
            ["create", "ready", "destroy", "search the account"],
        );
        assert.deepEqual([fake.isPaid, fake.hasState], [false, false]);
    });
});
