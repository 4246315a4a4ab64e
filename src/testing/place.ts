/** A place where a command is to run, with nothing amiss but what is said otherwise. */
export function placeWith(amiss: Partial<ReturnType<typeof plainPlace>> = {}) {
  return { ...plainPlace(), ...amiss }
}

function plainPlace() {
  return {
    isOwn: (_directory: string): boolean => true,
    holdsOthers: (_directory: string): boolean => false,
    holdsOptions: (_directory: string): boolean => false,
    isPlain: (_path: string): boolean => true,
    isRoot: (_directory: string): boolean => true,
    finds: (_name: string, _text: RegExp): boolean => false,
    isSet: (_name: string): boolean => false,
    cdIsPlain: true,
    home: '/home/me' as string | undefined,
  }
}
