/**
 * The image in which what no project releases is built online: Debian of the machines' release, Go and a C compiler. The
 * digest is pinned by public configurations of several users who do not know of each other.
 */
export const builder = {
    image: "docker.io/library/golang:1.26-bookworm",
    sha256: "a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d",
} as const;
