import { invalid } from "../cluster/validate";
import { versionOfFile } from "../cluster/version";
import type { Download } from "./downloads";
import { type Architecture, architectures, publishedCniPlugins } from "./published";

/** Refuses an archive whose URLs and checksum can't be of the same, by what this release has pinned. */
export function requireCniPlugins(option: string, { urls, sha256 }: Download, architecture: Architecture): void {
    urls.forEach((url, index) => {
        requireArchitecture(`${option}.urls[${index}]`, url, architecture);
    });
    const published = publishedCniPlugins(architecture);
    const url = published.urls[0]!;
    if (urls.includes(url) && sha256 !== published.sha256) {
        throw invalid(`${option}.sha256`, `${published.sha256}, that of ${url}`, sha256);
    }
    const pinned = architectures.find((each) => publishedCniPlugins(each).sha256 === sha256);
    const { version } = published;
    const other = urls.find((each) => (versionOfFile(each) ?? version) !== version);
    if (pinned !== undefined && (pinned !== architecture || other !== undefined)) {
        const got = `${sha256}, that of CNI plugins ${version} for ${pinned}`;
        throw invalid(`${option}.sha256`, `that of ${other ?? urls[0]}`, got);
    }
}

/** @param url - of a file that is for one architecture, which it may name */
export function requireArchitecture(option: string, url: string, architecture: Architecture): void {
    const named = architectures.filter((each) => new RegExp(`(?<![a-z0-9])${each}(?![a-z0-9])`).test(url));
    if (named.length > 0 && !named.includes(architecture)) {
        throw invalid(option, `of a file for ${architecture}`, url);
    }
}
