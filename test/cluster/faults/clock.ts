import assert from "node:assert/strict";
import { eventually } from "../cluster";
import { type HeldClock, holdClock, whyNot } from "../machine-clock";
import { hasToldSince, serverOf, tellsTime } from "./clock-signs";
import type { Act, Fault, Scene } from "./fault";

const minutes = 60;
const hours = 60 * minutes;

/** By the machine's name. */
const held = new Map<string, HeldClock>();

/** Lets a machine's clock jump; resolves when what runs there goes by it. */
function jump(seconds: number): Act {
    return async (scene, machine) => {
        if (!held.has(machine)) held.set(machine, await holdClock(scene.cluster.name, machine, seconds));
        await eventually(`${machine} by its own clock`, () => tellsTime(scene, machine, seconds), 60);
    };
}

/** Lets it jump back. */
const letGo: Act = async (_, machine) => {
    const clock = held.get(machine);
    held.delete(machine);
    await clock?.stop();
};

/**
 * kube-controller-manager takes a lease for renewed when its time is later than any before. After a clock went back that
 * is not so, and the node gets NotReady for a moment, until its kubelet tells its state: then, or every 5 minutes.
 */
const toldState = (scene: Scene, machine: string, since: Date) =>
    eventually("the node's state", () => hasToldSince(scene, machine, since), 330);

/**
 * A token that an apiserver ahead of the others has made is one of later: it is refused when the clock is back, until it begins.
 * Kubelets keep what they got for pods; another one comes with a new kubelet, and pods read it within two minutes.
 */
async function renewTokens({ cluster, controllers, workers }: Scene): Promise<void> {
    await Promise.all([...controllers, ...workers].map((each) => cluster.exec(each, "systemctl restart kubelet")));
}

/** For as long as a token for an hour is over by the clock of that apiserver, who has it needs another one, and gets it. */
async function refusesTokens(scene: Scene, machine: string): Promise<void> {
    const there = await serverOf(scene.cluster.name, machine);
    const make = async () =>
        (await scene.cluster.kubectl("create", "token", "default", "--duration=1h", ...there)).trim();
    const answerTo = (token: string) =>
        scene.cluster.exec(
            machine,
            `curl -sk --max-time 5 -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${token}' https://127.0.0.1:6443/api`,
        );
    await letGo(scene, machine);
    const old = await make();
    assert.equal(await answerTo(old), "200", "a token of now");
    await jump(2 * hours)(scene, machine);
    // An apiserver remembers for seconds what it thought of a token.
    await eventually("the end of a token", async () => assert.equal(await answerTo(old), "401"), 60);
    assert.equal(await answerTo(await make()), "200", "a token of later");
}

/** A clock that is wrong from one moment to the next, as after a bad answer of a time server, and right again later. */
export const clockFaults: readonly Fault[] = [
    {
        name: "clock-forward",
        // Not further: whoever gets a token meanwhile must wait for its beginning, less a minute that is forgiven.
        about: "a machine's clock jumps two minutes forward, and back",
        target: "node",
        whyNot: whyNot(),
        lasts: 60,
        group: "clock",
        within: 420,
        inject: jump(2 * minutes),
        heal: letGo,
        settled: toldState,
    },
    {
        name: "clock-back",
        // Not further: certificates of a new cluster begin when it does, and before that they are refused.
        about: "a machine's clock jumps two minutes back, for longer than its node stays Ready, and forward",
        target: "node",
        whyNot: whyNot(),
        lasts: 75,
        group: "clock",
        inject: jump(-2 * minutes),
        heal: letGo,
    },
    {
        name: "clock-hours",
        about: "a controller's clock jumps two hours forward, which is the end of tokens, and back; kubelets are restarted",
        target: "controller",
        whyNot: whyNot(),
        lasts: 90,
        group: "clock",
        isAlone: true,
        within: 480,
        inject: refusesTokens,
        heal: async (scene, machine) => {
            await letGo(scene, machine);
            await renewTokens(scene);
        },
        settled: toldState,
    },
];
