import assert from "node:assert/strict";
import fc from "fast-check";
import { Scene } from "../../../../../agents/nodes/promoter/observed";
import type { NodePromoterPlan } from "../../../../../agents/nodes/promoter/plan";
import { type Machine, World } from "./world";

function planOf(count: number, candidates: number): NodePromoterPlan {
    const own = Array.from({ length: count }, (_, index) => `c-controller-${index}`);
    const others = Array.from({ length: candidates }, (_, index) => `c-default-${index}`);
    return {
        apiServer: "https://127.0.0.1:6443",
        etcd: "https://127.0.0.1:2379",
        pki: "/pki",
        controllerLabel: "node-role.kubernetes.io/control-plane",
        count,
        peerUrls: Object.fromEntries([...own, ...others].map((name) => [name, `https://${name}:2380`])),
        candidates: others,
        replaceAfter: 60,
    };
}

const kinds = [
    ...["lose", "lose", "return", "cut", "heal", "kill agent", "promote", "demote"],
    ...["delete node", "fail to join", "join again", "jump", "move leader", "lose record"],
] as const;

type Event = readonly [kind: (typeof kinds)[number], machine: number, seconds: number];

const event = fc.tuple(
    fc.constantFrom(...kinds),
    fc.nat(9),
    fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 150 })),
);

/** With one controller: the Node of the candidate that took its place is deleted, so that no node has the role. */
const withoutAnyRole = [23, 150].map((seconds): [Event[], number] => [
    [
        ["promote", 4, 2],
        ["demote", 0, seconds],
        ["delete node", 4, 0],
    ],
    0,
]);

/** Whether etcd, and a controller that serves, survive the loss of a machine. */
function survives(world: World, lost: Machine): boolean {
    const voters = world.members.filter(({ isLearner }) => !isLearner);
    const left = voters.filter(({ ID, name }) => world.healthy.has(ID) && name !== lost.name);
    const serving = left.filter(({ name }) => world.nodes.get(name!)?.hasRole);
    return left.length >= Math.floor(voters.length / 2) + 1 && serving.length > 0;
}

function happen(world: World, [kind, index, seconds]: Event): void {
    const machine = world.all[index % world.all.length]!;
    const { name } = machine;
    if (kind === "lose" && survives(world, machine)) world.setRunning(name, { isUp: false });
    if (kind === "cut" && survives(world, machine)) world.setRunning(name, { isConnected: false });
    if (kind === "return") world.setRunning(name, { isUp: true });
    if (kind === "heal") world.setRunning(name, { isConnected: true });
    if (kind === "kill agent") world.killAgent(machine);
    if (kind === "promote" || kind === "demote") {
        world.requests = { ...world.requests, [name]: kind };
        world.recordVersion++;
    }
    if (kind === "delete node") world.deleteNode(name);
    if (kind === "fail to join") machine.failsToJoin = true;
    if (kind === "join again") machine.failsToJoin = false;
    if (kind === "jump") world.skew += index % 2 === 0 ? 3600 : -3600;
    // Without a record, a node on its way to another role looks like one that someone changed by hand.
    if (kind === "lose record" && Object.values(world.record).every(({ role }) => role === "controller")) {
        world.record = {};
        world.recordVersion++;
    }
    if (kind === "move leader") world.leader = undefined;
    for (let passed = 0; passed < seconds; passed++) world.tick();
}

/** Lets the cluster settle with the machines that run, all of which can join now. */
function settle(world: World): void {
    for (const machine of world.all) machine.failsToJoin = false;
    for (let passed = 0; passed < 600; passed++) world.tick();
    world.dies = () => false;
    for (let passed = 0; passed < 1_800; passed++) world.tick();
}

function checkSettled(world: World): void {
    const scene = new Scene(world.observe(world.all[0]!), world.plan);
    const excluded = Object.keys(world.record).filter((name) => world.record[name]!.excluded === "requested");
    const able = world.all.filter(
        (each) => world.runs(each) && (!excluded.includes(each.name) || scene.role(each.name) === "controller"),
    );
    const healthy = world.voters.filter((name) => world.runs(world.machines.get(name)!));
    const least = Math.min(world.plan.count, able.length);
    const state = () =>
        JSON.stringify({ record: world.record, voters: world.voters, healthy, log: world.log.slice(-12) }, null, 1);
    assert.ok(healthy.length >= least, `${healthy.length} of ${least} healthy voters: ${state()}`);
    for (const name of scene.names) {
        const [role, node, machine] = [scene.role(name), scene.node(name), world.machines.get(name)!];
        const isMember = scene.member(name) !== undefined;
        if (role === "candidate" || role === "leaving") assert.ok(!isMember, `${name} is a member: ${state()}`);
        if (role === "controller" && world.runs(machine))
            assert.ok(scene.isServing(name), `${name} does not serve: ${state()}`);
        if (!world.runs(machine)) continue;
        assert.ok(role === "controller" || role === "candidate", `${name} is ${role}: ${state()}`);
        if (role === "candidate") {
            assert.deepEqual(
                [machine.data, node?.label, node?.hasRole],
                [undefined, undefined, false],
                `${name}: ${state()}`,
            );
        }
    }
    // Of a lost machine a request waits, and a lost member may be in the way.
    if (world.all.every((each) => world.runs(each))) assert.deepEqual(world.requests, {}, state());
}

/** True at random. */
function oneIn(count: number, seed: number): () => boolean {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return (state >>> 16) % count === 0;
    };
}

describe("the node promoter", function () {
    this.timeout(120_000);

    const scenes: [string, number, number][] = [
        ["three controllers and three candidates", 3, 3],
        ["three controllers and one candidate", 3, 1],
        ["one controller and two candidates", 1, 2],
        ["five controllers and two candidates", 5, 2],
    ];
    for (const [what, count, candidates] of scenes) {
        it(`changes nothing about ${what} while nothing is wrong`, () => {
            const world = new World(planOf(count, candidates));
            for (let passed = 0; passed < 3_600; passed++) world.tick();
            assert.deepEqual(world.log, []);
        });

        it(`keeps etcd's quorum, changes one node at a time, and repairs ${what}, whatever happens`, () => {
            fc.assert(
                fc.property(fc.array(event, { maxLength: 30 }), fc.nat(), (events, seed) => {
                    const world = new World(planOf(count, candidates), oneIn(15, seed));
                    for (const each of events) happen(world, each);
                    settle(world);
                    checkSettled(world);
                    world.log.length = 0;
                    for (let passed = 0; passed < 300; passed++) world.tick();
                    assert.deepEqual(world.log, []);
                }),
                { numRuns: Number(process.env.PROMOTER_RUNS ?? 12), examples: withoutAnyRole },
            );
        });
    }
});
