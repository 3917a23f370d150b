import { type Config, config, file } from "../../ignition";
import { paths } from "./paths";

export const fetchScript = `${paths.bin}/fetch`;

const script = `#!/bin/sh
# fetch FILE SHA256 URL...: download FILE from the first URL that has it, and refuse other contents.
set -eu
file=$1 sha256=$2
shift 2
if [ -f "$file" ] && echo "$sha256  $file" | sha256sum --check --status; then exit 0; fi
mkdir -p "\${file%/*}"
for url in "$@"; do
    echo "fetch: $url"
    if ! curl -fsSL --retry 3 --retry-connrefused --connect-timeout 10 --max-time 600 -o "$file.part" "$url"; then continue; fi
    if ! echo "$sha256  $file.part" | sha256sum --check --status; then
        echo "fetch: $url does not have the SHA-256 $sha256" >&2
        continue
    fi
    sync "$file.part"
    mv "$file.part" "$file"
    exit 0
done
echo "fetch: no source gave $file" >&2
exit 1
`;

/** A script that downloads what is pinned, and nothing else. */
export function fetchTool(): Config {
    return config({ files: [file(fetchScript, script, { mode: 0o755 })] });
}
