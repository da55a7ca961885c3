/*
 * Page-locked and device memory; fake_cuda.h tells of the whole. All of it is mapped by itself, and
 * stays out of bounds when it is freed, so that no address is ever given twice.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_cuda.h"

static void account(const struct block *block, int sign) {
  if (block->host) {
    state.live.pinned += sign;
  } else {
    state.live.device += sign;
  }
}

CUresult allocate_block(struct context *context, size_t bytes, bool host, unsigned flags,
                        void **address) {
  if (bytes == 0) {
    return INVALID_VALUE;
  }
  if (bytes > INT64_MAX / 2) {
    return OUT_OF_MEMORY;
  }
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t mapped = (bytes + page - 1) / page * page;
  void *memory =
      mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return OUT_OF_MEMORY;
  }
  memset(memory, FRESH, bytes);
  struct block *block = allocate(sizeof *block);
  *block = (struct block){.next = state.blocks, .address = memory, .bytes = bytes,
                          .mapped = mapped, .host = host, .flags = flags, .context = context};
  state.blocks = block;
  account(block, 1);
  *address = memory;
  return SUCCESS;
}

/* The block that an address lies in, freed or not; NULL for none. */
struct block *find_block(const void *address) {
  for (struct block *each = state.blocks; each != NULL; each = each->next) {
    if ((uintptr_t)address - (uintptr_t)each->address < each->bytes) {
      return each;
    }
  }
  return NULL;
}

static void seal(const struct block *block) {
  mmap(block->address, block->mapped, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

static struct block *find_live_block(const void *address, bool host) {
  struct block *block = find_block(address);
  bool found = block != NULL && block->host == host && block->address == address && !block->freed;
  return found ? block : NULL;
}

/*
 * Frees a block. The driver frees device memory when nothing uses it any more; of page-locked
 * memory the manual does not say so, hence the violation.
 */
CUresult free_block(void *address, bool host) {
  struct block *block = find_live_block(address, host);
  if (block != NULL && host && block->copies > 0 && !is_broken()) {
    violate("cuMemFreeHost(%p): %d queued copies need this memory", address, block->copies);
  }
  while (block != NULL && !host && block->copies > 0) {
    await_change();
    block = find_live_block(address, host);
  }
  if (block == NULL) {
    return INVALID_VALUE;
  }
  block->freed = true;
  account(block, -1);
  if (block->copies == 0) {
    seal(block);
  }
  return SUCCESS;
}

/* A copy is done with it. */
void release_block(struct block *block) {
  if (--block->copies == 0 && block->freed) {
    seal(block);
  }
}

/* Takes a block for freed, and leaves it readable, since whoever leaked it may still look at it. */
void forget_block(struct block *block) {
  account(block, -1);
  block->freed = true;
  block->copies++;
}

/*
 * Tells which block a range lies in, NULL if it touches none. INVALID_VALUE if it is part in and
 * part out, or if the block is freed.
 */
CUresult check_range(const void *address, size_t bytes, struct block **block) {
  uintptr_t from = (uintptr_t)address;
  *block = NULL;
  for (struct block *each = state.blocks; each != NULL; each = each->next) {
    uintptr_t start = (uintptr_t)each->address;
    if (from < start + each->bytes && start < from + bytes) {
      if (each->freed) {
        violate("a copy of %zu bytes names memory at %p that is freed", bytes, address);
        return INVALID_VALUE;
      }
      if (from < start || from + bytes > start + each->bytes) {
        return INVALID_VALUE;
      }
      *block = each;
      return SUCCESS;
    }
  }
  return SUCCESS;
}

/* Forgets all blocks. What nobody freed stays mapped: a test's JVM may still hold its address. */
void drop_blocks(void) {
  while (state.blocks != NULL) {
    struct block *first = state.blocks;
    state.blocks = first->next;
    if (!first->freed) {
      account(first, -1);
    } else if (first->copies == 0) {
      munmap(first->address, first->mapped);
    }
    free(first);
  }
}
