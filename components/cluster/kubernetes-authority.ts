import { firstKeys, isSame, type KeyLists } from "./key-lists";

type Authorities = Pick<KeyLists, "kubernetesCa">;

/** What an authority is called in the certificates that it issues: by this it is known on machines. */
export function authorityName(generation: number): string {
    return generation === 1 ? "kubernetes-ca" : `kubernetes-ca-${generation}`;
}

/** Whether a cluster has the authority that it began with, and no other: then no kubelet is told of any. */
export function hasFirstAuthority({ kubernetesCa }: Authorities): boolean {
    return isSame(kubernetesCa, firstKeys.kubernetesCa);
}

/** Those that are trusted, always in one order: which of them issues changes nothing for who trusts. */
export function trustedAuthorities({ kubernetesCa }: Authorities): number[] {
    return [...kubernetesCa].sort((one, other) => one - other);
}
