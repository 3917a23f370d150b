import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { eventually, kubectlPath } from "../../cluster/cluster";
import { HeldClock, whyNot } from "../../cluster/machine-clock/held-clock";
import { Witnesses } from "./witness";

const reason = whyNot();
const hour = 3600;
/** Seconds by which responses may be late on a busy host. */
const late = 20;

/** Milliseconds of the wall clock, and of the monotonic one. */
const node = [
    process.execPath,
    "-e",
    'process.stdin.on("data", () => console.log(Date.now(), performance.now()))',
] as const;
/** Seconds by time() and by gettimeofday(). */
const bash = ["bash", "-c", "while read -r; do echo $EPOCHSECONDS $EPOCHREALTIME; done"] as const;

const isAhead = (seen: number, seconds: number) => {
    const ahead = seen - Date.now() / 1000;
    assert.ok(Math.abs(ahead - seconds) < late, `${seconds} s ahead, is ${ahead.toFixed(1)} s`);
};

(reason ? describe.skip : describe)(`a moved wall clock${reason ? ` (${reason})` : ""}`, function () {
    this.timeout(60_000);
    let witnesses: Witnesses;
    let held: HeldClock | undefined;

    beforeEach(() => {
        witnesses = new Witnesses();
    });
    afterEach(async () => {
        try {
            await held?.stop();
        } finally {
            held = undefined;
            await witnesses.end();
        }
    });

    for (const seconds of [hour, -hour]) {
        it(`is ${seconds} s ahead in a running program, and back when released; the monotonic one is unchanged`, async () => {
            const ask = await witnesses.ask(...node);
            const [, before] = await ask();
            const start = performance.now();
            held = await HeldClock.hold(witnesses.belongs, seconds);
            const [wall, monotonic] = await ask();
            isAhead(wall! / 1000, seconds);
            assert.ok(Math.abs(monotonic! - before! - (performance.now() - start)) < late * 1000);
            await held.stop();
            held = undefined;
            isAhead((await ask())[0]! / 1000, 0);
        });
    }

    it("is the same through the calls of older programs", async () => {
        const ask = await witnesses.ask(...bash);
        held = await HeldClock.hold(witnesses.belongs, hour);
        for (const seen of await ask()) isAhead(seen, hour);
        await held.stop();
        held = undefined;
        for (const seen of await ask()) isAhead(seen, 0);
    });

    it("also applies to programs that start later, and to no others", async () => {
        held = await HeldClock.hold(witnesses.belongs, hour);
        const ask = await witnesses.ask(...node);
        await eventually("the clock of a new program", async () => isAhead((await ask())[0]! / 1000, hour), 10);
        const other = new Witnesses();
        try {
            const askOther = await other.ask(...node);
            // Longer than until the next check for programs: by then the running one has been found.
            const [begun] = await askOther();
            await eventually("time", async () => assert.ok((await askOther())[0]! > begun! + 1000), 10);
            isAhead((await askOther())[0]! / 1000, 0);
        } finally {
            await other.end();
        }
    });

    it("applies to a static Go program", async function () {
        if (!existsSync(kubectlPath())) this.skip();
        const child = witnesses.start(
            kubectlPath(),
            "proxy",
            "--port=0",
            `--www=${__dirname}`,
            "--server=http://127.0.0.1:1",
        );
        const [line] = await once(child.stdout!, "data");
        const url = `http://${/127\.0\.0\.1:\d+/.exec(String(line))![0]}/static/`;
        const seen = async () => {
            const answer = await fetch(url, { headers: { connection: "close" } });
            await answer.text();
            return Date.parse(answer.headers.get("date")!) / 1000;
        };
        isAhead(await seen(), 0);
        held = await HeldClock.hold(witnesses.belongs, -hour);
        isAhead(await seen(), -hour);
        await held.stop();
        held = undefined;
        isAhead(await seen(), 0);
    });

    it("leaves a program stopped that something else has stopped", async () => {
        const child = witnesses.start(...node);
        child.kill("SIGSTOP");
        held = await HeldClock.hold(witnesses.belongs, hour);
        child.stdin!.write("\n");
        child.kill("SIGCONT");
        const [line] = await once(child.stdout!, "data");
        isAhead(Number(String(line).split(" ")[0]) / 1000, hour);
    });

    it("can only be moved by whole seconds", async () => {
        await assert.rejects(HeldClock.hold(witnesses.belongs, 0.5), /seconds must be a whole number \(got 0.5\)/);
    });
});
