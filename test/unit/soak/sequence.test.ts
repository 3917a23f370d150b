import assert from "node:assert/strict";
import { TestCluster } from "../../cluster/cluster";
import { faults, type Scene, targets } from "../../cluster/faults";
import { randomOfSequence, sequenceOf, singleOf } from "../../soak/sequence";

const scene: Scene = {
    cluster: new TestCluster("c"),
    controllers: ["c-controller-0", "c-controller-1", "c-controller-2"],
    workers: ["c-default-0"],
};
/** Clocks cannot be moved everywhere. */
const possible = faults.filter(({ whyNot }) => !whyNot);
const drawn = (seed: number, index: number) => sequenceOf(randomOfSequence(seed, index), faults, scene);
const text = (seed: number, index: number) =>
    drawn(seed, index).map(({ fault, machine, at }) => [fault.name, machine, at]);
const indexes = Array.from({ length: 1000 }, (_, index) => index);

describe("a sequence of faults", () => {
    it("is the same for the same seed and number, whatever came before it", () => {
        assert.deepEqual(text(7, 12), text(7, 12));
        assert.notDeepEqual(
            indexes.map((index) => text(7, index)),
            indexes.map((index) => text(8, index)),
        );
    });

    it("includes every fault sooner or later", () => {
        const struck = new Set(indexes.flatMap((index) => drawn(1, index).map(({ fault }) => fault.name)));
        assert.deepEqual([...struck].sort(), possible.map(({ name }) => name).sort());
    });

    it("affects no machine or group twice, and combines no fault that must be alone", () => {
        for (const index of indexes) {
            const steps = drawn(3, index);
            assert(steps.length >= 1 && steps.length <= 3);
            const machines = steps.filter(({ fault }) => fault.target !== "cluster").map(({ machine }) => machine);
            assert.equal(new Set(machines).size, machines.length);
            const groups = steps.map(({ fault: { name, group = name } }) => group);
            assert.equal(new Set(groups).size, groups.length);
            assert(steps.length === 1 || !steps.some(({ fault }) => fault.isAlone));
        }
    });

    it("omits faults of machines that the cluster does not have", () => {
        const single = { ...scene, controllers: ["c-controller-0"], workers: [] };
        for (const index of indexes) {
            const steps = sequenceOf(randomOfSequence(1, index), faults, single);
            assert(steps.every(({ fault, machine }) => fault.target !== "worker" && machine === "c-controller-0"));
        }
    });

    it("can be one fault alone, by its number", () => {
        const names = possible.map((_, index) => singleOf(randomOfSequence(1, index), possible, scene, index));
        assert.deepEqual(
            names.map(([step]) => step?.fault.name),
            possible.map(({ name }) => name),
        );
    });
});

describe("the faults", () => {
    it("affect no machine on a host where they are impossible", () => {
        assert.deepEqual(targets({ target: "node", whyNot: "no vDSO" }, scene), []);
        assert.equal(targets({ target: "node" }, scene).length, 4);
    });

    it("have unique names, and a legal recovery time", () => {
        const names = faults.map(({ name }) => name);
        assert.equal(new Set(names).size, names.length);
        for (const name of names) assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    });
});
