import { NoSuchKindError } from "./faults";
import { apiVersionOf, type Kind } from "./kind";
import { listAt } from "./object";

/** How the API serves a kind. */
export interface ServedKind {
    readonly plural: string;
    readonly isNamespaced: boolean;
}

/** Where the objects of an API version are. */
export function rootOf(kind: Kind): string {
    return `${kind.group ? "/apis" : "/api"}/${apiVersionOf(kind)}`;
}

/** The kinds that the API serves, asked for once by API version. */
export class ServedKinds {
    private readonly byRoot = new Map<string, Promise<Map<string, ServedKind>>>();

    constructor(private readonly get: (path: string) => Promise<unknown>) {}

    /** @throws {NoSuchKindError} when it is not served, or not yet */
    async find(kind: Kind): Promise<ServedKind> {
        const root = rootOf(kind);
        const known = this.byRoot.get(root) ?? this.discover(root);
        this.byRoot.set(root, known);
        const found = await known.then(
            (kinds) => kinds.get(kind.kind),
            (error) => {
                this.byRoot.delete(root);
                throw error;
            },
        );
        if (found) return found;
        // It may appear at any time, together with its definition.
        this.byRoot.delete(root);
        throw new NoSuchKindError(`no matches for kind "${kind.kind}" in version "${apiVersionOf(kind)}"`);
    }

    /** After a definition came or went. */
    forget(): void {
        this.byRoot.clear();
    }

    private async discover(root: string): Promise<Map<string, ServedKind>> {
        const list = await this.get(root).catch((error) => {
            if (error.isNotFound) return {};
            throw error;
        });
        const resources = listAt(list, "resources").filter(({ name }) => !String(name).includes("/"));
        return new Map(
            resources.map(({ kind, name, namespaced }) => [
                String(kind),
                { plural: String(name), isNamespaced: namespaced === true },
            ]),
        );
    }
}
