import { spawn } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { pictureOption, writePicture } from "../../cli/picture/svg";
import { command } from "../../command-line/command";
import type { Values } from "../../command-line/parse";
import { filmOf, type Line } from "./film";

const root = resolve(__dirname, "../..");
const cluster = "demo";

/** What the recording shows: the commands of the README. */
const commands = [
    `npm start -- --name ${cluster} --kubernetes 1.36.3 --yes`,
    `npm run -s pulumi -- config set kubernetesVersion 1.37.1 --name ${cluster}`,
    `npm run -s pulumi -- preview --name ${cluster}`,
    `npm start -- --name ${cluster} --yes`,
    `npm run -s tradewind -- status --name ${cluster}`,
    `npm start -- --name ${cluster} --destroy --yes`,
];

const options = { output: pictureOption("docs/pictures/demo.svg") };

/** Of hundreds of resources one each, of what they wait for, and about plugins that this machine built itself. */
const isLeftOut =
    /^ +[+-] |^ +(plugin|this machine has) |^@ (updating|previewing)|^ {6}\S+\/\S+: (?!the upgrade|Kubernetes)| start$/;

export const program = command(
    {
        name: "npm run recording",
        about: "Records the README's commands on a real cluster, and writes what they print as an animated SVG.",
        options,
        notes: "Waiting is cut short. Lines about single resources, waiting and plugins are left out; nothing else is changed but the path of your home folder.",
    },
    record,
);

export const main = (args: readonly string[]): Promise<number> => program.run(args);

/** `npm run recording`: 0 if every command succeeded. */
async function record({ output = join(root, "docs/pictures/demo.svg") }: Values<typeof options>): Promise<number> {
    const lines: Line[] = [];
    const began = performance.now();
    const add = (text: string, isTyped = false) => {
        const shown = stripVTControlCharacters(text).replaceAll(homedir(), "~").replaceAll(root, ".");
        if (!isLeftOut.test(shown)) lines.push({ at: (performance.now() - began) / 1000, text: shown, isTyped });
        console.error(shown);
    };
    for (const each of commands) {
        add(`$ ${each}`, true);
        const child = spawn(each, { cwd: root, shell: true, stdio: ["ignore", "pipe", "pipe"] });
        for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => add(line));
        const [exitCode] = await once(child, "close");
        if (exitCode !== 0) throw new Error(`${each} failed with exit code ${exitCode}`);
        add("");
    }
    const title = "A cluster is created, upgraded by a previewed change, and removed";
    const description = `A terminal with the commands ${commands.join("; ")}`;
    writePicture(output, filmOf({ title, description, lines }));
    return 0;
}
