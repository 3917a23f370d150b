import assert from "node:assert/strict";
import { flagFindings } from "../../../cluster/flags/check";
import { resolveCluster } from "../../../cluster/resolve";
import { demanded } from "../../../local/preflight";
import { commandsOf, pages, textOf } from "./pages";

const local = "docs/tutorial-local.md";
const tutorials = pages.filter((page) => page.startsWith("docs/tutorial-"));

/** The versions that a tutorial makes and upgrades to, in that order. */
const [first = "", second = ""] = commandsOf(local).flatMap((command) => /--kubernetes (\S+)/.exec(command)?.[1] ?? []);

describe("the tutorial of a cluster on this computer", () => {
    const text = textOf(local);

    it("asks for the room and the memory that its first command asks for", () => {
        const { disk, memory } = demanded({ isCold: true, controllers: 1, workers: workersOf(commandsOf(local)) });
        assert.ok(text.includes(` ${Math.ceil(disk / 1000 ** 3)} GB of free disk`), `${disk} bytes`);
        assert.ok(text.includes(` ${Math.ceil(memory / 1024 ** 3)} GiB of free memory`), `${memory} bytes`);
    });

    it("asks for the memory of all machines that it comes to", () => {
        const { memory } = demanded({ isCold: false, controllers: 3, workers: workersOf(commandsOf(local)) });
        assert.ok(text.includes(`(${Math.ceil(memory / 1024 ** 3)} GiB for step 6)`), `${memory} bytes`);
    });

    it("says what a flag that is not there is answered with at its version", () => {
        const components = { kubeScheduler: { nonsense: "1" } };
        const { unknown } = flagFindings(resolveCluster({ name: "local", kubernetesVersion: first, components }));
        assert.equal(unknown.length, 1);
        assert.ok(text.includes(`\`${unknown[0]}\``), unknown[0]);
    });

    it("shows nodes of the version that it makes, and upgrades them to another", () => {
        const shown = [...text.matchAll(/^local-\S+ .* v([\d.]+)$/gm)].map(([, version]) => version);
        assert.deepEqual(shown, [first, first, first]);
        assert.notEqual(second, first);
        assert.ok(text.includes(`Kubernetes ${first} becomes ${second}: `));
    });

    it("says of a first run what the README says", () => {
        const [, minutes] = /A first run that builds everything takes (.*? minutes) on two/.exec(textOf("README.md"))!;
        assert.ok(text.includes(` ${minutes} on two cores`), minutes);
    });
});

describe("tutorials", () => {
    for (const page of tutorials) {
        it(`takes back what it sets to make something fail, in ${page}`, () => {
            const timeouts = commandsOf(page).filter((command) => command.includes("tradewind:rolloutTimeout"));
            assert.doesNotMatch(timeouts.at(-1) ?? "", /config set/);
        });
    }
});

function workersOf(commands: readonly string[]): number {
    return Number(commands.map((command) => /npm start .*--workers (\d+)/.exec(command)?.[1]).find(Boolean));
}
