import assert from "node:assert/strict";
import { flagFindings } from "../../../cluster/flags/check";
import { resolveCluster } from "../../../cluster/resolve";
import { demanded } from "../../../local/preflight";
import { commandsOf, pages, textOf } from "./pages";

const local = "docs/tutorial-local.md";
const tutorials = pages.filter((page) => page.startsWith("docs/tutorial-"));

/** The versions that a tutorial creates and upgrades to, in order. */
const [first = "", second = ""] = commandsOf(local).flatMap((command) => /--kubernetes (\S+)/.exec(command)?.[1] ?? []);

describe("the tutorial of a local cluster", () => {
    const text = textOf(local);

    it("states the disk space and memory that its first command requires", () => {
        const { disk, memory } = demanded({ isCold: true, controllers: 1, workers: workersOf(commandsOf(local)) });
        assert.ok(text.includes(` ${Math.ceil(disk / 1000 ** 3)} GB of free disk`), `${disk} bytes`);
        assert.ok(text.includes(` ${Math.ceil(memory / 1024 ** 3)} GiB of free memory`), `${memory} bytes`);
    });

    it("states the memory required for all of its machines", () => {
        const { memory } = demanded({ isCold: false, controllers: 3, workers: workersOf(commandsOf(local)) });
        assert.ok(text.includes(`(${Math.ceil(memory / 1024 ** 3)} GiB for step 6)`), `${memory} bytes`);
    });

    it("quotes the error for an unknown flag in its version", () => {
        const components = { kubeScheduler: { nonsense: "1" } };
        const { unknown } = flagFindings(resolveCluster({ name: "local", kubernetesVersion: first, components }));
        assert.equal(unknown.length, 1);
        assert.ok(text.includes(`\`${unknown[0]}\``), unknown[0]);
    });

    it("shows nodes of the created version, and upgrades them to another", () => {
        const shown = [...text.matchAll(/^local-\S+ .* v([\d.]+)$/gm)].map(([, version]) => version);
        assert.deepEqual(shown, [first, first, first]);
        assert.notEqual(second, first);
        assert.ok(text.includes(`Kubernetes ${first} becomes ${second}: `));
    });

    it("says the same about a first run as the README", () => {
        const [, minutes] = /A first run that builds everything takes (.*? minutes) on two/.exec(textOf("README.md"))!;
        assert.ok(text.includes(` ${minutes} on two cores`), minutes);
    });
});

describe("tutorials", () => {
    for (const page of tutorials) {
        it(`revert settings that cause failures, in ${page}`, () => {
            const timeouts = commandsOf(page).filter((command) => command.includes("tradewind:rolloutTimeout"));
            assert.doesNotMatch(timeouts.at(-1) ?? "", /config set/);
        });
    }
});

function workersOf(commands: readonly string[]): number {
    return Number(commands.map((command) => /npm start .*--workers (\d+)/.exec(command)?.[1]).find(Boolean));
}
