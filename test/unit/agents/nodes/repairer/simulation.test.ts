import assert from "node:assert/strict";
import fc from "fast-check";
import { World } from "./world";

const kinds = [
    ...["hang", "break", "break", "hold", "hold"],
    ...["cut", "cut all", "heal", "free", "throttle", "delete", "kill", "jump"],
];

type Event = readonly [kind: string, machine: number, seconds: number];

const event = fc.tuple(
    fc.constantFrom(...kinds),
    fc.nat(30),
    fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 2400 })),
);

async function happen(world: World, [kind, index, seconds]: Event): Promise<void> {
    const machine = world.all[index % world.all.length]!;
    const down = world.all.filter(({ state }) => state === "hung" || state === "broken");
    const workers = world.all.filter(({ isController, state }) => !isController && state === "up");
    if (kind === "hang" && machine.state === "up") world.set(machine, { state: "hung" });
    // Several at once, but no mass.
    if (kind === "break") for (const each of workers.slice(0, 4)) world.set(each, { state: "broken" });
    if (kind === "cut") world.set(machine, { isConnected: false });
    if (kind === "cut all") for (const each of world.all) world.set(each, { isConnected: false });
    if (kind === "heal") for (const each of world.all) Object.assign(each, { isConnected: true });
    if (kind === "hold") (down[index % down.length] ?? machine).isHeld = true;
    if (kind === "free") machine.isHeld = false;
    if (kind === "throttle") world.isThrottled = !world.isThrottled;
    if (kind === "delete" && !machine.isController && machine.state === "broken") world.remove(machine);
    if (kind === "kill") world.killAgent();
    if (kind === "jump") world.skew += index % 2 === 0 ? 1800 : -1800;
    for (let passed = 0; passed < seconds; passed += 5) await world.tick();
}

function oneIn(count: number, seed: number): () => boolean {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return (state >>> 16) % count === 0;
    };
}

/** With a network and without kills, every machine is repaired or left to a person. */
async function settle(world: World): Promise<void> {
    world.dies = () => false;
    world.isThrottled = false;
    for (const each of world.all) Object.assign(each, { isConnected: true, isHeld: false });
    for (let passed = 0; passed < 12 * 3600; passed += 15) await world.tick(15);
    const { machines } = world.repairs;
    const left = world.all.filter(({ name, isReady }) => !isReady && machines[name]?.state !== "manual");
    const waiting = world.all.filter(({ isReady }) => !isReady).length;
    // A mass of machines is never repaired.
    if (waiting > Math.max(1, Math.floor(world.all.length * 0.4))) return;
    // Without a majority of etcd there is no API.
    const controllers = world.all.filter(({ isController }) => isController);
    if (controllers.filter(({ isReady }) => isReady).length <= controllers.length / 2) return;
    assert.deepEqual(
        left.map(({ name, state }) => `${name} is ${state}`),
        [],
        world.log.slice(-30).join("\n"),
    );
    for (const [name, { state }] of Object.entries(machines)) {
        if (state !== "recovered") assert.equal(world.machines.get(name)?.isReady, false, `${name} is ${state}`);
    }
}

describe("the node repairer", function () {
    this.timeout(240_000);

    for (const [controllers, workers] of [
        [1, 2],
        [3, 3],
        [3, 12],
    ] as const) {
        it(`repairs ${controllers} controllers and ${workers} workers within its limits, whatever happens`, () =>
            fc.assert(
                fc.asyncProperty(fc.array(event, { maxLength: 25 }), fc.nat(), async (events, seed) => {
                    const world = new World(controllers, workers);
                    world.dies = oneIn(40, seed);
                    for (const each of events) await happen(world, each);
                    await settle(world);
                }),
                { numRuns: 8 },
            ));
    }

    it("counts a replacement for an hour, also when another agent with a clock that is ahead takes over", async () => {
        const world = new World(3, 12);
        await happen(world, ["break", 0, 1000]);
        assert.equal(world.log.filter((line) => line.endsWith(" replaced")).length, 2);
        world.skew = 1800;
        await happen(world, ["kill", 0, 3600]);
    });

    /** Seconds at which the machine was restarted or replaced, after it hung. */
    async function repairsOf(seconds: number, act: (world: World, passed: number) => void) {
        const world = new World(3, 6);
        const machine = world.all.at(-1)!;
        // The agent has seen it Ready.
        await world.tick();
        const start = world.seconds;
        act(world, 0);
        world.set(machine, { state: "broken" });
        for (let passed = 5; passed <= seconds; passed += 5) {
            act(world, passed);
            await world.tick();
        }
        return world.log.flatMap((line) => {
            const [, at, what] = /^(\d+) \S+ (restarted|replaced)$/.exec(line) ?? [];
            return what === undefined ? [] : [{ what, after: Number(at) - start }];
        });
    }

    it("waits as long as it should with a clock that differs from the API's, or jumps", async () => {
        const clocks: ((world: World, passed: number) => void)[] = [
            () => undefined,
            ...[3600, -3600].flatMap((skew) => [
                (world: World) => Object.assign(world, { skew }),
                (world: World, passed: number) => passed === 200 && Object.assign(world, { skew }),
                (world: World, passed: number) => passed === 500 && Object.assign(world, { skew }),
            ]),
        ];
        for (const act of clocks) {
            const [first, second] = await repairsOf(1200, act);
            assert.equal(first?.what, "restarted");
            assert.ok(first.after >= 340 && first.after < 360, `restarted after ${first.after}`);
            assert.equal(second?.what, "replaced");
            assert.ok(second.after >= 940 && second.after < 980, `replaced after ${second.after}`);
        }
    });
});
