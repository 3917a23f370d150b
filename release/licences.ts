import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders of the npm packages that files are from, each once. */
export function packageFolders(files: readonly string[]): string[] {
    const folders = files.map((file) => /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]);
    return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * The licences of packages whose code is handed on within ours, as those ask for.
 *
 * @throws when one of them has no licence text
 */
export function licenceNotices(folders: readonly string[]): string {
    const notices = folders.map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
        if (file === undefined) {
            throw new Error(`a package that is handed on must have a LICENSE, got none in ${name} ${version}`);
        }
        return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    });
    return [
        "Agents in this package have code of these in them. What else the package needs is installed beside it.\n",
        ...notices,
    ].join(`\n${"-".repeat(80)}\n\n`);
}
